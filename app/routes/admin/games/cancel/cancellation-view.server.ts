import { gamesText, playersText } from "#app/features/games/rules.ts";
import { isStuck } from "#app/features/organise/rules.ts";
import { dateAndTime, wallClock } from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import type { SkippedGame } from "#app/platform/schema.ts";
import { formatDay, formatTimes } from "#app/routes/admin/games/game-view.server.ts";
import type { BulkCancellation } from "#app/features/organise/stored-cancellations.server.ts";

type Game = BulkCancellation["games"][number];

export function toCancellationView({ games, by, startedAt }: BulkCancellation, now: Date) {
  const cancelled = games.filter(({ skipped }) => !skipped);
  const left = cancelled.filter(({ finishedAt }) => !finishedAt);
  const done = cancelled.length - left.length;
  const sum = (of: "players" | "creditsCents") =>
    cancelled.reduce((total, game) => total + (game[of] ?? 0), 0);
  const isFinished = left.length === 0;
  const started = dateAndTime(wallClock(startedAt));
  const skipped = games.filter((game) => game.skipped);
  const all = gamesText(games.length);
  return {
    title: `${skipped.length > 0 ? `${cancelled.length} of ${all}` : all} cancelled`,
    warning: warningText(skipped.length),
    about: `${by ?? "An organiser"} cancelled ${cancelled.length === 1 ? "it" : "them"} on ${started}. Nobody can join any more.`,
    count: cancelled.length,
    done,
    isFinished,
    state: isFinished ? FINISHED : `${done} of ${gamesText(cancelled.length)} refunded.`,
    sums: sumsText(sum("players"), sum("creditsCents")),
    stuck: !isFinished && isStuck(startedAt, now) ? STUCK : null,
    skipped: skipped.map(toRow),
    games: cancelled.map(toRow),
  };
}

function warningText(skipped: number): string | null {
  if (skipped === 0) return null;
  return `${skipped} ${skipped === 1 ? "was" : "were"} not: see below.`;
}

const FINISHED = "All refunds are done.";
const STUCK =
  "This takes longer than it should. It goes on by itself; if the numbers stay as they are, ask who " +
  "runs the site to look at its log.";

/** Bookings: a player may have been in several of the games. */
function sumsText(bookings: number, creditsCents: number): string {
  const ended = bookings === 1 ? "1 booking has" : `${bookings} bookings have`;
  const mail = bookings > 0 ? `, ${bookings > 1 ? "each " : ""}with an email` : "";
  return `${ended} ended${mail}. ${creditsCount(creditsCents)} came back.`;
}

function toRow(game: Game) {
  const { id, venueName, title } = game;
  const day = `${formatDay(game.date)}, ${formatTimes(game)}`;
  const again = game.skipped === "changed" ? `/admin/games/${id}/cancel` : null;
  return { id, title: `${venueName}, ${title}`, day, notes: noteOf(game), again };
}

function noteOf(game: Game): string {
  const { skipped, finishedAt, players, playersLeft, creditsCents } = game;
  if (skipped === "changed") return `${changedText(game)}. ${SKIPPED.changed}`;
  if (skipped) return SKIPPED[skipped];
  if (!finishedAt) return `Refunds of ${playersText(playersLeft)} to come`;
  if (!players) return creditsCents > 0 ? `${creditsCount(creditsCents)} back` : "Nobody was in";
  return `${playersText(players)}, ${creditsCount(creditsCents)} back`;
}

/** "8 players are in it now; one joined on Sat, Nov 21, 12:00": the newest change is what differs. */
function changedText({ playersLeft, joinedAt, leftAt, editedAt }: Game): string {
  const now = `${playersText(playersLeft)} ${playersLeft === 1 ? "is" : "are"} in it now`;
  const changes = [
    { what: "one joined", at: joinedAt },
    { what: "one left", at: leftAt },
    { what: "it was edited", at: editedAt },
  ];
  const [newest] = changes
    .flatMap(({ what, at }) => (at ? [{ what, at }] : []))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return newest ? `${now}; ${newest.what} on ${dateAndTime(wallClock(newest.at))}` : now;
}

const SKIPPED: Record<SkippedGame, string> = {
  changed: "Changed since it was shown.",
  closed: "It had begun, or was cancelled or completed before.",
  played: "There is a result or a check-in.",
};
