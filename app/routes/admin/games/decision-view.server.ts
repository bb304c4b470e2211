import type { PlannedGame } from "#app/features/games/admin-games.server.ts";
import { hasStarted, playersText } from "#app/features/games/rules.ts";
import { decisionFacts } from "#app/features/organise/play-anyway.server.ts";
import { writeShown } from "#app/platform/as-shown.ts";
import { dayAndTime, weekdayAndTime } from "#app/platform/clock.ts";

export const DECISION_OVER =
  "The time at which its minimum is decided is over, so it would be called off at once. Edit it first.";

export function minimumFact({ plan, decidesAt }: PlannedGame): string {
  if (plan.minPlayers === null || !decidesAt) return "None";
  return `${playersText(plan.minPlayers)}, decided ${weekdayAndTime(decidesAt)}`;
}

export const isShort = ({ plan, joinedCount, decision }: PlannedGame) =>
  decision === null && joinedCount < (plan.minPlayers ?? 0);

/** What the organiser must know of the minimum, while there is something to do or explain. */
export function describeDecision(game: PlannedGame, now: Date) {
  const { plan, status, decision, decidesAt, joinedCount } = game;
  if (status !== "Published" || !decidesAt || hasStarted(game, now)) return null;
  if (decision === "PlayAnyway") {
    const text = `It is played with however many come: ${joinedCount} so far.`;
    return { title: "Play anyway", text, effect: "", shown: "" };
  }
  if (!isShort(game)) return null;
  return {
    title: `${joinedCount} of ${playersText(plan.minPlayers ?? 0)}`,
    text:
      `It is called off by itself ${dayAndTime(decidesAt, now)}, unless ${plan.minPlayers} are in ` +
      "by then. Everybody then gets the full price back.",
    shown: writeShown(decisionFacts(joinedCount)),
    effect: effectOfPlaying(joinedCount, dayAndTime(decidesAt, now)),
  };
}

function effectOfPlaying(players: number, decided: string): string {
  if (players === 0) return "Nobody is in yet. It will be played with however many come.";
  const who = players === 1 ? "1 player is in, is" : `${players} players are in, are`;
  return `${who} notified by email, and may cancel for the full price until ${decided}.`;
}
