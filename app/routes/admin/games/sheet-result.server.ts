import { recordResult, type Result } from "#app/features/bookings/record-result.server.ts";
import { listRoster } from "#app/features/bookings/roster.server.ts";
import { isResultField, readResult } from "#app/features/bookings/input.ts";
import type { App } from "#app/routes/context.server.ts";
import { echoOf } from "#app/forms/form-fields.server.ts";
import type { Difference } from "#app/forms/form-result.ts";
import { PROBLEMS } from "./sheet-answer.ts";
import { done, refuse, type SheetDeed } from "./sheet-reply.server.ts";

/** Records the result that a form has sent, or says what differs where somebody was faster. */
export async function recordOnSheet(app: App, deed: SheetDeed) {
  const { fields, gameId, actorId } = deed;
  const { intent = "" } = fields;
  const kept = { intent, values: echoOf(fields, Object.keys(fields).filter(isResultField)) };
  const checked = readResult(fields);
  if (!checked.ok) return refuse({ ...kept, errors: checked.errors }, 422);
  const version = Number(/^\d{1,9}$/.exec(fields.version ?? "")?.[0] ?? 0);
  const recording = { ...checked.input, gameId, actorId, version, now: app.now() };
  const answer = await recordResult(app.db, recording);
  if (answer.ok) return done(app, deed, "Result saved", "The player cards show it.");
  if (answer.reason === "changed") {
    const names = await namesOf(app, gameId);
    const differences = resultDifferences(answer.current, checked.input, names);
    return refuse({ ...kept, differences, version: answer.version }, 409);
  }
  const isForm = answer.reason === "too-many-goals" || answer.reason === "winners-of-a-draw";
  return refuse({ ...kept, problem: PROBLEMS[answer.reason]! }, isForm ? 422 : 409);
}

async function namesOf({ db }: App, gameId: string): Promise<Map<string, string>> {
  const players = await listRoster(db, gameId);
  return new Map(players.map((each) => [each.bookingId, `${each.firstName} ${each.lastName}`]));
}

function resultDifferences(theirs: Result, yours: Result, names: Map<string, string>) {
  const differences: Difference[] = [];
  const compare = (label: string, one: string, other: string) => {
    if (one !== other) differences.push({ label, theirs: one, yours: other });
  };
  const score = ({ firstScore, secondScore }: Result) => `${firstScore}–${secondScore}`;
  compare("Score", score(theirs), score(yours));
  for (const [bookingId, name] of names) {
    compare(name, playerWords(theirs, bookingId), playerWords(yours, bookingId));
  }
  return differences;
}

function playerWords({ players }: Result, bookingId: string): string {
  const player = players.find((each) => each.bookingId === bookingId);
  if (!player) return "not in it";
  return `${player.goals} goals, ${player.hasWon ? "won" : "did not win"}`;
}
