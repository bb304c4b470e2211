import { editGame } from "#app/features/organise/edit-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { promoteWaiting } from "#app/features/waitlist/promote-waiting.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { TestDatabase } from "./db.ts";
import { ada, bookingsOf, hoursLater, NOW } from "./fixtures.ts";
import { holdsOf } from "./holds.ts";
import { waitlistOf } from "./waitlist.ts";

/** One round each of the races for a held spot, with the guards of `unguarded`, or without them. */
interface Scene {
  database: TestDatabase;
  unguarded: Db;
}

/** What happened, the reason against it, or the name of the constraint that answered instead. */
const outcome = (done: string, action: Promise<{ ok: boolean; reason?: string }>) =>
  action.then(
    (result) => (result.ok ? done : result.reason!),
    (error: { constraint?: string }) => error.constraint ?? String(error),
  );

/** In turns of who begins. */
async function both<T>(round: number, one: () => Promise<T>, other: () => Promise<T>) {
  const [first, second] = round % 2 === 0 ? [one, other] : [other, one];
  const results = await Promise.all([first(), second()]);
  return round % 2 === 0 ? results : results.toReversed();
}

/** One free spot: a player holds it while a stranger joins. */
export async function holdWhileJoined({ database, unguarded }: Scene, round: number) {
  const holds = holdsOf(database, unguarded);
  const { gameId, host } = await holds.aGameWithAHost();
  const playerId = await ada(database.db);
  const join = { gameId, playerId, now: NOW };
  return both(
    round,
    () => outcome("held", holds.tryHold(gameId, host)),
    () => outcome("joined", joinGame(unguarded, database.jobs, join)),
  );
}

/** So many friends press Join with the same link; other spots are free. */
export async function oneLinkForAll({ database, unguarded }: Scene, friends: string[]) {
  const holds = holdsOf(database, unguarded);
  const { gameId, host } = await holds.aGameWithAHost({ spots: friends.length + 2 });
  const token = await holds.hold(gameId, host);
  return Promise.all(friends.map((id) => outcome("taken", holds.tryTake(gameId, id, token))));
}

/** The queue ends what a friend takes, and gives it to the one who waits. */
export async function lapseWhileTaken({ database, unguarded }: Scene, round: number) {
  const holds = holdsOf(database, unguarded);
  const { gameId, host } = await holds.aGameWithAHost();
  const token = await holds.hold(gameId, host);
  const [waiter] = await waitlistOf(database).waiters(gameId, 1);
  const friend = await ada(database.db);
  // Its clock is ahead: for the friend the spot is held still.
  const promotion = { gameId, now: hoursLater(0.5) };
  const promote = async () => {
    await promoteWaiting(unguarded, database.jobs, promotion);
    return { ok: true };
  };
  const [taken = "", promoted = ""] = await both(
    round,
    () => outcome("taken", holds.tryTake(gameId, friend, token)),
    () => outcome("promoted", promote()),
  );
  const bookings = await bookingsOf(database.db, gameId);
  const players = bookings.map(({ user_id }) => user_id);
  return { taken, promoted, players, host, waiter: waiter!, friend };
}

/** The last spot: two players hold it at once. */
export async function twoHolds({ database, unguarded }: Scene, round: number) {
  const holds = holdsOf(database, unguarded);
  const { gameId, host } = await holds.aGameWithAHost({ spots: 3 });
  const { playerId } = await waitlistOf(database).join(gameId, await ada(database.db));
  return both(
    round,
    () => outcome("held", holds.tryHold(gameId, host)),
    () => outcome("held", holds.tryHold(gameId, playerId)),
  );
}

/** The same player presses Hold many times, in pages of their own. */
export async function manyHolds({ database, unguarded }: Scene) {
  const holds = holdsOf(database, unguarded);
  const { gameId, host } = await holds.aGameWithAHost({ spots: 9 });
  return Promise.all(Array.from({ length: 8 }, () => outcome("held", holds.tryHold(gameId, host))));
}

/** A player holds one in each of five games at once. */
export async function holdInManyGames({ database, unguarded }: Scene) {
  const holds = holdsOf(database, unguarded);
  const host = await ada(database.db);
  const gameIds = await holds.gamesWith(host, [48, 51, 54, 57, 60]);
  return Promise.all(gameIds.map((id) => outcome("held", holds.tryHold(id, host))));
}

/** Two spots, of which an organiser takes the free one away while a player holds it. */
export async function holdWhileSmaller({ database, unguarded }: Scene, round: number) {
  const holds = holdsOf(database, unguarded);
  const { gameId, host } = await holds.aGameWithAHost();
  const actorId = await ada(database.db);
  const { plan, version } = (await findPlannedGame(database.db, gameId))!;
  const edit = { gameId, actorId, version, plan: { ...plan, maxPlayers: 1 }, now: NOW };
  const options = { withFollowing: false, confirmed: true };
  return both(
    round,
    () => outcome("held", holds.tryHold(gameId, host)),
    () => outcome("saved", editGame(unguarded, database.jobs, { ...edit, ...options })),
  );
}

/** Somebody cancels while another one waits, and a player who is in wants to hold what is free. */
export async function holdWhileSomebodyWaits({ database, unguarded }: Scene, round: number) {
  const [holds, list] = [holdsOf(database, unguarded), waitlistOf(database)];
  const { gameId, seats } = await list.fullGame({ spots: 2 });
  await list.waiters(gameId, 1);
  const [held = ""] = await both(
    round,
    () => outcome("held", holds.tryHold(gameId, seats[0]!.playerId)),
    () => list.cancel(seats[1]!).then(() => "cancelled"),
  );
  return { held, promoted: await list.promote(gameId) };
}
