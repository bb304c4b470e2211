import { sumRefundsOfGame } from "#app/features/bookings/cancel-game.server.ts";
import {
  findPlannedGame,
  listSeries,
  type PlannedGame,
} from "#app/features/games/admin-games.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import type { Db } from "#app/platform/db.server.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";
import { dayWords, showSeriesGame, timeWords } from "./desk-words.ts";

/** A game as its organisers see it, in words; null where there is none. */
export async function loadAdminGamePage({ db, now }: App, gameId: string | undefined) {
  const game = await findPlannedGame(db, gameId);
  if (!game) return null;
  const { plan, status, joinedCount } = game;
  const [series, refunds] = await Promise.all([
    listSeries(db, game.seriesId),
    refundWords(db, game),
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
    day: dayWords(plan.date),
    time: timeWords(plan.startTime, plan.endTime),
    place: `${game.venueName}, ${game.city}`,
    facts: factsOf(game),
    joinedCount,
    hasStarted: isStarted,
    canCancel: isOpen,
    canEdit: isOpen && !isStarted,
    canPublish,
    canPublishFollowing: canPublish && following.some((later) => later.status === "Draft"),
    canUnpublish: status === "Published" && !isStarted,
    refunds,
    series: series.map(showSeriesGame),
  };
}

export type AdminGamePage = NonNullable<Awaited<ReturnType<typeof loadAdminGamePage>>>;

function factsOf({ plan, joinedCount }: PlannedGame): [string, string][] {
  return [
    ["Seats taken", `${joinedCount}/${plan.maxPlayers}`],
    ["Sport", plan.sport],
    ["Format", plan.gameFormat],
    ["Where", plan.isOutdoor ? "Outdoor" : "Indoor"],
    ["Price shown", euros(plan.priceCents)],
    ["First session free", plan.isFirstSessionFree ? "Yes" : "No"],
  ];
}

/** What a cancelled game has given back; it stays on the page when the toast is gone. */
async function refundWords(db: Db, { id, status }: PlannedGame): Promise<string | null> {
  if (status !== "Cancelled") return null;
  const { players, cents } = await sumRefundsOfGame(db, id);
  if (players === 0) return "Nobody had paid, so nothing was refunded.";
  const who = players === 1 ? "1 player was" : `${players} players were`;
  return `${who} refunded in full, ${creditsCount(cents)} in all.`;
}
