import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { leaveWaitlist } from "#app/features/waitlist/join-waitlist.server.ts";
import { promoteWaiting } from "#app/features/waitlist/promote-waiting.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { WaitMode } from "#app/platform/schema.ts";
import type { TestDatabase } from "./db.ts";
import { aPlayer, balanceCents, bookingsOf, NOW } from "./fixtures.ts";
import { entryOf, statusesIn, type waitlistOf } from "./waitlist.ts";

/** One round each of the races for a spot, with the guards of `unguarded`, or without them. */
interface Scene {
  database: TestDatabase;
  list: ReturnType<typeof waitlistOf>;
  /** What races: the same database, perhaps without a guard. */
  unguarded: Db;
}

export function tally(results: string[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(results, (result) => result));
  return Object.fromEntries(groups.map(([key, all]) => [key, all?.length ?? 0]));
}

/** The reason, or the name of the constraint that answered instead of the code. */
const nameOf = (error: { constraint?: string }) => error.constraint ?? String(error);

const tryJoin = ({ database, unguarded }: Scene, gameId: string, playerId: string) =>
  joinGame(unguarded, database.jobs, { gameId, playerId, now: NOW }).then(
    (result) => (result.ok ? "joined" : result.reason),
    nameOf,
  );

const tryPromote = ({ database, unguarded }: Scene, gameId: string) =>
  promoteWaiting(unguarded, database.jobs, { gameId, now: NOW }).then(String, nameOf);

/** Twenty wait, one cancels, and newcomers press Join; the promotion starts with the commit. */
export async function aCrowdAtAFreedSpot(scene: Scene, newcomers: string[]) {
  const { list } = scene;
  const { gameId, seat } = await list.fullGame();
  const [first] = await list.waiters(gameId, 20);
  const freed = list.cancel(seat).then(() => tryPromote(scene, gameId));
  const results = await Promise.all(newcomers.map((id) => tryJoin(scene, gameId, id)));
  await freed;
  return { gameId, first: first!, results };
}

/** The only one who waits is about to leave, and to be promoted. */
export async function aboutToLeave(scene: Scene) {
  const { database, list, unguarded } = scene;
  const { gameId, seat } = await list.fullGame();
  const [playerId] = await list.waiters(gameId, 1);
  await list.cancel(seat);
  const begun: Partial<Record<"leave" | "promote", Promise<string>>> = {};
  const leave = { gameId, playerId: playerId!, now: NOW };
  const begin = (what: keyof typeof begun) => {
    begun[what] =
      what === "promote"
        ? tryPromote(scene, gameId)
        : leaveWaitlist(unguarded, database.jobs, leave).then(
            (result) => (result.ok ? "left" : result.reason),
            nameOf,
          );
  };
  const outcome = async () => {
    const [left] = await Promise.all([begun.leave, begun.promote]);
    const bookings = await bookingsOf(database.db, gameId);
    return {
      status: (await entryOf(database.db, gameId, playerId!)).status,
      left: left!,
      isIn: bookings.some((one) => one.user_id === playerId && one.payment_status === "Paid"),
      cents: await balanceCents(database.db, playerId!),
    };
  };
  return { gameId, begin, outcome };
}

/** Both at the same moment; who begins takes turns. */
export async function leavesWhilePromoted(scene: Scene, round: number) {
  const { begin, outcome } = await aboutToLeave(scene);
  const turns = ["leave", "promote"] as const;
  for (const what of round % 2 === 0 ? turns : turns.toReversed()) begin(what);
  return outcome();
}

/** Two spots, four who wait, the job twenty times. */
export async function manyPromotions(scene: Scene) {
  const { database, list } = scene;
  const { gameId, seats } = await list.fullGame({ spots: 2 });
  await list.waiters(gameId, 4);
  for (const seat of seats) await list.cancel(seat);
  const results = await Promise.all(Array.from({ length: 20 }, () => tryPromote(scene, gameId)));
  return { results, promoted: await statusesIn(database.db, gameId) };
}

/** Twenty wait, SQL adds five spots, newcomers press Join. */
export async function fiveMoreSpots(scene: Scene, newcomers: string[]) {
  const { database, list } = scene;
  const { gameId } = await list.fullGame();
  await list.waiters(gameId, 20);
  const more = database.pool
    .query("update games set max_players = max_players + 5 where id = $1", [gameId])
    .then(() => Promise.all([tryPromote(scene, gameId), tryPromote(scene, gameId)]));
  const results = await Promise.all(newcomers.map((id) => tryJoin(scene, gameId, id)));
  await more;
  return { results, promoted: await statusesIn(database.db, gameId) };
}

interface TwoGames {
  isSameHour?: boolean;
  mode?: WaitMode;
}

/** One player is first on two lists, with credits for one game, or for both at the same hour. */
export async function freeSpotsOfTwoGames(
  scene: Scene,
  { isSameHour = false, mode = "auto" }: TwoGames,
) {
  const { database, list } = scene;
  const playerId = await aPlayer(database.db, { credits: isSameHour ? 20 : 10 });
  const games: string[] = [];
  const seconds: string[] = [];
  for (const startsIn of [48, isSameHour ? 49 : 72]) {
    const { gameId, seat } = await list.fullGame({ startsIn });
    await list.wait(gameId, playerId, { mode });
    const [second] = await list.waiters(gameId, 1, { now: new Date(NOW.getTime() + 1_000) });
    await list.cancel(seat);
    games.push(gameId);
    seconds.push(second!);
  }
  const results = await Promise.all(games.map((gameId) => tryPromote(scene, gameId)));
  return { games, playerId, seconds, results };
}
