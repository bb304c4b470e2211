import { stopPaying } from "#app/features/bookings/hold-while-paying.server.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { lapseHolds } from "#app/features/seats/hold-ends.server.ts";
import { promoteWaiting } from "#app/features/waitlist/promote-waiting.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { seconds } from "#app/routes/demo/stripe-objects.ts";
import { pausedAfter, type TestDatabase } from "./db.ts";
import { ada, aGame, ben, bookingsOf, hoursLater, NOW } from "./fixtures.ts";
import { payingOf, paymentHoldsOf } from "./payment-holds.ts";
import { holdsOf } from "./holds.ts";
import { untilWaiting } from "./lock-order.ts";
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

/** The spot has lapsed or was given back, and nobody has passed it on yet: its late money books before or
 * while it goes to who waits. Answers who plays. */
export async function lateMoney(
  { database, unguarded }: Scene,
  round: number,
  end: "has lapsed" | "was given back",
) {
  const { db, jobs } = database;
  const gameId = await aGame(db, { spots: 1 });
  const payer = await ben(db);
  const paying = payingOf(database);
  await paying.hold(gameId, payer);
  const [waiter] = await waitlistOf(database).waiters(gameId, 1);
  const now = hoursLater(0.3);
  if (end === "was given back") await paying.stop(gameId, payer);
  else await db.transaction().execute((tx) => lapseHolds(tx, { gameId, now }));
  const created = seconds(NOW);
  await deliverEvents(database, singlePurchase(payer, { created }).completed, now);
  const book = () => payingOf(database, unguarded).work(now);
  const promote = () => promoteWaiting(db, jobs, { gameId, now });
  // Before the promotion has begun, too.
  if (round % 3 === 0) await book();
  await inTurns(round, [book, promote]);
  await paying.sweepPaid(now);
  const [booking, ...more] = await bookingsOf(db, gameId);
  const player = booking?.user_id === waiter ? "who waits" : booking && "who pays late";
  return { gameId, payer, player, others: more.length };
}

/** What each writes to the row of a payment hold. */
const WRITES = {
  money: "update payment_holds set session_id",
  lapse: "update payment_holds hold set status = 'Lapsed'",
  stop: "update payment_holds hold set ended_at",
} as const;

/** Two of these meet: the one that comes second waits until the first has committed. */
export async function oneAfterTheOther(
  { database, unguarded }: Scene,
  first: keyof typeof WRITES,
  second: keyof typeof WRITES,
) {
  const { db, jobs, pool } = database;
  const paying = payingOf(database);
  const gameId = await aGame(db, { spots: 1 });
  const payer = await ben(db);
  const holdId = await paying.hold(gameId, payer);
  const [waiter] = await waitlistOf(database).waiters(gameId, 1);
  const now = hoursLater(0.25);
  const acts = {
    money: (by: Db) => deliverEvents({ db: by, jobs }, singlePurchase(payer).completed, now),
    lapse: (by: Db) => promoteWaiting(by, jobs, { gameId, now }),
    stop: (by: Db) => stopPaying(by, jobs, { gameId, playerId: payer, now }),
  };
  let other: Promise<unknown> | undefined;
  const meanwhile = async () => {
    other = acts[second](unguarded);
    await untilWaiting(db, 1);
  };
  await acts[first](pausedAfter(unguarded, WRITES[first], meanwhile));
  const result = await other;
  await paying.work(now);
  await promoteWaiting(db, jobs, { gameId, now });
  const [hold] = await paymentHoldsOf(db, payer);
  const [booking] = await bookingsOf(db, gameId);
  const { rowCount: emails } = await pool.query(
    "select from pgboss.job where name = 'mail.send' and data->>'holdId' = $1",
    [holdId],
  );
  const isIn = booking?.user_id === payer;
  const waiterIsIn = booking?.user_id === waiter;
  return { payer, hold: hold!, result, isIn, waiterIsIn, isNotified: emails! > 0 };
}

/** Somebody wants a spot that is over once it is counted; its money comes before it lapses. */
export async function moneyOnceCounted(
  { database }: Pick<Scene, "database">,
  by: "a join" | "a payer" | "a friend's holder" | "an organiser",
) {
  const { db, jobs } = database;
  const paying = payingOf(database);
  const [payer, other] = [await ben(db), await ada(db)];
  const gameId = await aGame(db, { spots: 2 });
  const host = (await waitlistOf(database).join(gameId, await ada(db))).playerId;
  await paying.hold(gameId, payer);
  const now = hoursLater(0.25);
  const wants = {
    "a join": () => joinGame(db, jobs, { gameId, playerId: other, now }),
    "a payer": () => paying.tryHold(gameId, other, { now }),
    "a friend's holder": () => holdsOf(database).tryHold(gameId, host, now),
    "an organiser": () => addPlayer(db, jobs, { gameId, playerId: other, actorId: host, now }),
  };
  let wanted: Promise<string> | undefined;
  const meanwhile = async () => {
    wanted = outcome("spot", wants[by]());
    await untilWaiting(db, 1);
  };
  const money = pausedAfter(db, WRITES.money, meanwhile);
  await deliverEvents({ db: money, jobs }, singlePurchase(payer).completed, now);
  const result = await wanted;
  await paying.work(now);
  const players = (await bookingsOf(db, gameId)).map(({ user_id }) => user_id);
  return { result, players: players.toSorted(), expected: [host, payer].toSorted() };
}

/** Money comes while the spot lapses and goes to the payer, who waits for the game with credits enough. */
export async function payerWaitsToo({ database, unguarded }: Scene) {
  const { db, jobs } = database;
  const list = waitlistOf(database);
  const { gameId, seat } = await list.fullGame();
  const [payer = ""] = await list.waiters(gameId, 1);
  await list.cancel(seat);
  await payingOf(database).hold(gameId, payer);
  const now = hoursLater(0.25);
  let money: Promise<unknown> | undefined;
  const meanwhile = async () => {
    money = deliverEvents({ db: unguarded, jobs }, singlePurchase(payer).completed, now);
    await untilWaiting(db, 1);
  };
  await promoteWaiting(pausedAfter(unguarded, WRITES.lapse, meanwhile), jobs, { gameId, now });
  return { payer, outcome: await money, bookings: await bookingsOf(db, gameId) };
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
