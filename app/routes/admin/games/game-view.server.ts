import { sumRefundsOfGame } from "#app/features/bookings/cancel-game.server.ts";
import {
  type AdminGame,
  findPlannedGame,
  listSeries,
  type PlannedGame,
  type SeriesGame,
} from "#app/features/games/admin-games.server.ts";
import { clockTime, hasStarted } from "#app/features/games/rules.ts";
import { monthDay, monthDayYear, shortWeekday } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import type { App } from "#app/routes/context.server.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";

/** A game's page as the admins see it; null where there is no such game. */
export async function loadAdminGame({ db, now }: App, gameId: string | undefined) {
  const game = await findPlannedGame(db, gameId);
  if (!game) return null;
  const { plan, status, joinedCount } = game;
  const [series, refunds] = await Promise.all([
    listSeries(db, game.seriesId),
    describeRefunds(db, game),
  ]);
  const isOpen = status === "Draft" || status === "Published";
  const isStarted = hasStarted(game, now());
  const canPublish = status === "Draft" && !isStarted;
  const following = series.slice(series.findIndex(({ id }) => id === game.id) + 1);
  return {
    id: game.id,
    title: plan.title,
    description: plan.description,
    status,
    statusTone: STATUS_TONES[status],
    day: formatDay(plan.date),
    time: formatTimes(plan),
    place: `${game.venueName}, ${game.city}`,
    facts: [
      ["Seats taken", `${joinedCount}/${plan.maxPlayers}`],
      ["Sport", plan.sport],
      ["Format", plan.gameFormat],
      ["Where", plan.isOutdoor ? "Outdoor" : "Indoor"],
      ["Price shown", euros(plan.priceCents)],
      ["First session free", plan.isFirstSessionFree ? "Yes" : "No"],
    ] as const,
    joinedCount,
    hasStarted: isStarted,
    canCancel: isOpen,
    canEdit: isOpen && !isStarted,
    canPublish,
    canPublishFollowing: canPublish && following.some((later) => later.status === "Draft"),
    canUnpublish: status === "Published" && !isStarted,
    refunds,
    series: series.map(toSeriesGameView),
  };
}

export type AdminGamePage = NonNullable<Awaited<ReturnType<typeof loadAdminGame>>>;

/** What a cancelled game has given back; it stays on the page when the toast is gone. */
async function describeRefunds(db: Db, { id, status }: PlannedGame): Promise<string | null> {
  if (status !== "Cancelled") return null;
  const { players, cents } = await sumRefundsOfGame(db, id);
  if (players === 0) return "Nobody had paid, so nothing was refunded.";
  const who = players === 1 ? "1 player was" : `${players} players were`;
  return `${who} refunded in full, ${creditsCount(cents)} in all.`;
}

/** A game of the list. */
export function toAdminGameView(game: AdminGame) {
  return {
    id: game.id,
    title: game.title,
    day: formatDay(game.date),
    time: formatTimes(game),
    place: `${game.venueName}, ${game.city}`,
    status: game.status,
    statusTone: STATUS_TONES[game.status],
    seats: `${game.joinedCount}/${game.maxPlayers}`,
  };
}

export type AdminGameView = ReturnType<typeof toAdminGameView>;

function toSeriesGameView(game: SeriesGame) {
  return {
    id: game.id,
    day: `${shortWeekday(game.date)}, ${monthDay(game.date)}, ${clockTime(game.startTime)}`,
    status: game.status,
    statusTone: STATUS_TONES[game.status],
    seats: `${game.joinedCount}/${game.maxPlayers}`,
  };
}

/** "Sat, Nov 21, 2026". */
export function formatDay(date: string): string {
  return `${shortWeekday(date)}, ${monthDayYear(date)}`;
}

/** "19:00–20:30"; past midnight it says so. */
function formatTimes({ startTime, endTime }: { startTime: string; endTime: string }): string {
  const [start, end] = [clockTime(startTime), clockTime(endTime)];
  return `${start}–${end}${end < start ? " (past midnight)" : ""}`;
}

const STATUS_TONES: Record<GameStatus, BadgeTone> = {
  Draft: "neutral",
  Published: "green",
  Cancelled: "red",
  Completed: "sky",
};
