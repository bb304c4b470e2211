import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { promoteWaiting } from "#app/features/waitlist/promote-waiting.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { TestDatabase } from "./db.ts";
import { ada, aGame, ben, bookingsOf, hoursLater, NOW } from "./fixtures.ts";
import { payingOf } from "./payment-holds.ts";
import { deliverEvents, singlePurchase } from "./payments.ts";
import { waitlistOf } from "./waitlist.ts";

/** One round each of the races for a spot that is paid for, with the guards of `unguarded`. */
interface Scene {
  database: TestDatabase;
  unguarded: Db;
}

const outcome = (done: string, action: Promise<{ ok: boolean; reason?: string }>) =>
  action.then(
    (result) => (result.ok ? done : result.reason!),
    (error: { constraint?: string }) => error.constraint ?? String(error),
  );

const inTurns = (round: number, actions: (() => Promise<unknown>)[]) =>
  Promise.all((round % 2 === 0 ? actions : actions.toReversed()).map((act) => act()));

/** The money comes at the instant at which the spot lapses, and somebody waits for it. */
export async function moneyAtTheEnd({ database, unguarded }: Scene, round: number) {
  const paying = payingOf(database);
  const gameId = await aGame(database.db, { spots: 1 });
  const payer = await ben(database.db);
  await paying.hold(gameId, payer);
  const [waiter] = await waitlistOf(database).waiters(gameId, 1);
  const end = hoursLater(0.25);
  const { completed } = singlePurchase(payer);
  const promotion = { gameId, now: end };
  await inTurns(round, [
    () => deliverEvents({ db: unguarded, jobs: database.jobs }, completed, end),
    () => promoteWaiting(unguarded, database.jobs, promotion),
  ]);
  await paying.work(end);
  await paying.sweepPaid(end);
  const bookings = await bookingsOf(database.db, gameId);
  return { gameId, payer, waiter: waiter!, players: bookings.map(({ user_id }) => user_id) };
}

/** The last spot: somebody joins it while another one goes to pay for it. */
export async function joinOrHold({ database, unguarded }: Scene, round: number) {
  const gameId = await aGame(database.db, { spots: 1 });
  const [payer, playerId] = [await ben(database.db), await ada(database.db)];
  const results: string[] = [];
  const noted = async (result: Promise<string>) => void results.push(await result);
  const join = { gameId, playerId, now: NOW };
  await inTurns(round, [
    () => noted(outcome("held", payingOf(database, unguarded).tryHold(gameId, payer))),
    () => noted(outcome("joined", joinGame(unguarded, database.jobs, join))),
  ]);
  return results.toSorted();
}

/** One player presses the button in many tabs, of two games. */
export async function manyTabs({ database, unguarded }: Scene) {
  const games = [await aGame(database.db), await aGame(database.db)];
  const payer = await ben(database.db);
  const paying = payingOf(database, unguarded);
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, n) => outcome("held", paying.tryHold(games[n % 2]!, payer))),
  );
  return { payer, games, results };
}
