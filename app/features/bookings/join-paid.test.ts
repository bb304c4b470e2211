import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, balanceCents, ben, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { heldCount } from "#test/holds.ts";
import { payingOf, paymentHoldsOf, paymentStatuses } from "#test/payment-holds.ts";
import { deliverEvents, monthlyPurchase, singlePurchase, somePacks } from "#test/payments.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { suspendAccount } from "#app/features/accounts/account-status.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { joinGame } from "./join-game.server.ts";

const database = useDatabase();
const db = () => database.db;
const paying = payingOf(database);
const list = waitlistOf(database);
beforeAll(() => somePacks(db()));

const minutes = (count: number) => hoursLater(count / 60);
const DAYS_2 = 48 * 60;

/** Who goes to pay for the only spot of a game in four days. */
async function aPayer(wish: Parameters<typeof aGame>[1] = {}) {
  const gameId = await aGame(db(), { spots: 1, startsIn: 96, ...wish });
  const playerId = await ben(db());
  const holdId = await paying.hold(gameId, playerId);
  return { gameId, playerId, holdId };
}
const deliver = (events: Parameters<typeof deliverEvents>[1], now = NOW) =>
  deliverEvents(database, events, now);
const playersOf = async (gameId: string) =>
  (await bookingsOf(db(), gameId)).map(({ user_id }) => user_id);
const mailsOf = async (holdId: string) => {
  const { rowCount } = await database.pool.query(
    `select from pgboss.job where name = 'mail.send' and data->>'kind' = 'credits-stay'
       and data->>'holdId' = $1`,
    [holdId],
  );
  return rowCount;
};
const declined = async (playerId: string) => (await paymentHoldsOf(db(), playerId))[0]!;

test("credits that arrive in time book the player, by the id of the hold", async () => {
  const { gameId, playerId, holdId } = await aPayer();
  await paying.pay(playerId, minutes(5));
  expect(await bookingsOf(db(), gameId)).toMatchObject([
    { id: holdId, user_id: playerId, payment_status: "Paid", price_eur: "10.00" },
  ]);
  expect(await paymentStatuses(db(), playerId)).toEqual(["Booked"]);
  expect(await balanceCents(db(), playerId)).toBe(0);
  expect(await heldCount(db(), gameId)).toBe(0);
  expect(await mailsOf(holdId)).toBe(0);
  expect((await checkBooks(db())).differences).toEqual([]);
});

test("the job and the event that come twice book once", async () => {
  const { gameId, playerId, holdId } = await aPayer();
  const { completed, succeeded } = singlePurchase(playerId);
  await deliver([completed, completed, succeeded]);
  await paying.work();
  await paying.sweepPaid();
  expect(await playersOf(gameId)).toEqual([playerId]);
  expect(await bookingsOf(db(), gameId)).toMatchObject([{ id: holdId }]);
});

test("what is paid stays held until it is booked, also where the job was lost", async () => {
  const { gameId, playerId } = await aPayer();
  await deliver(singlePurchase(playerId).completed, minutes(14));
  await database.pool.query("delete from pgboss.job where name = 'payment.join'");
  await paying.sweep(minutes(20));
  expect(await heldCount(db(), gameId)).toBe(1);
  expect(await paying.find(gameId, playerId, minutes(20))).toMatchObject({
    isPaid: true,
    holdsSpot: true,
  });
  await paying.sweepPaid(minutes(20));
  expect(await playersOf(gameId)).toEqual([playerId]);
});

test("money that comes late books where a spot is free", async () => {
  const { gameId, playerId } = await aPayer();
  await paying.sweep(minutes(15));
  await paying.pay(playerId, minutes(60));
  expect(await playersOf(gameId)).toEqual([playerId]);
});

test("money that comes late and finds the game full stays as credits, and an email says so", async () => {
  const { gameId, playerId, holdId } = await aPayer();
  await joinGame(db(), database.jobs, { gameId, playerId: await ada(db()), now: minutes(16) });
  await paying.pay(playerId, minutes(20));
  expect(await playersOf(gameId)).not.toContain(playerId);
  expect(await balanceCents(db(), playerId)).toBe(1_000);
  expect(await declined(playerId)).toMatchObject({ status: "Declined", declined_reason: "full" });
  expect(await mailsOf(holdId)).toBe(1);
  await paying.sweepPaid(minutes(21));
  expect(await mailsOf(holdId)).toBe(1);
});

test("late money never passes who waits", async () => {
  const { gameId, playerId } = await aPayer();
  const seat = await list.join(gameId, await ada(db()), minutes(15));
  await list.waiters(gameId, 1);
  await list.cancel(seat, minutes(16));
  await paying.pay(playerId, minutes(16));
  expect(await declined(playerId)).toMatchObject({ declined_reason: "belongs-to-waitlist" });
  expect(await balanceCents(db(), playerId)).toBe(1_000);
});

test.each([
  ["moved", "changed", { start_time: "09:00", end_time: "10:00" }],
  ["cancelled", "not-published", { status: "Cancelled" as const }],
])("a game that was %s meanwhile is not booked", async (_, reason, change) => {
  const { gameId, playerId, holdId } = await aPayer();
  await db().updateTable("games").set(change).where("id", "=", gameId).execute();
  await paying.pay(playerId, minutes(5));
  expect(await declined(playerId)).toMatchObject({ declined_reason: reason });
  expect(await heldCount(db(), gameId)).toBe(0);
  expect(await mailsOf(holdId)).toBe(1);
});

test("a game that has started is not booked", async () => {
  const { playerId } = await aPayer({ startsIn: 0.1 });
  await paying.pay(playerId, minutes(7));
  expect(await declined(playerId)).toMatchObject({ declined_reason: "started" });
});

test("a player who was suspended meanwhile is not booked", async () => {
  const { playerId, gameId } = await aPayer();
  const actor = await ada(db());
  await suspendAccount(db(), database.jobs, { userId: playerId, actor, reason: "Rude" }, NOW);
  await paying.pay(playerId, minutes(5));
  expect(await declined(playerId)).toMatchObject({ declined_reason: "suspended" });
  expect(await heldCount(db(), gameId)).toBe(0);
});

test("a debt is paid first, and what is left may not suffice", async () => {
  const playerId = await ben(db());
  const former = singlePurchase(playerId);
  await deliver(former.completed);
  await list.join(await aGame(db()), playerId);
  await deliver(former.refunded(999));
  const gameId = await aGame(db(), { startsIn: 72 });
  await paying.hold(gameId, playerId);
  await paying.pay(playerId, minutes(5));
  expect(await declined(playerId)).toMatchObject({ declined_reason: "not-enough-credits" });
  expect(await heldCount(db(), gameId)).toBe(0);
});

test("two payments for one game book it once, and leave the second as credits", async () => {
  const { gameId, playerId } = await aPayer();
  await paying.pay(playerId, minutes(2));
  await paying.pay(playerId, minutes(3));
  expect(await playersOf(gameId)).toEqual([playerId]);
  expect(await balanceCents(db(), playerId)).toBe(1_000);
});

test("a second payment books no game that was given up for another", async () => {
  const { gameId, playerId } = await aPayer();
  const other = await aGame(db());
  await paying.hold(other, playerId, { now: minutes(1) });
  await paying.pay(playerId, minutes(2));
  await paying.pay(playerId, minutes(3));
  expect(await playersOf(other)).toEqual([playerId]);
  expect(await playersOf(gameId)).toEqual([]);
});

test("a payment that a bank confirms days later books the game that it began for", async () => {
  const { gameId, playerId, holdId } = await aPayer();
  const bank = singlePurchase(playerId);
  await deliver(bank.unpaid, minutes(3));
  expect(await paying.find(gameId, playerId, minutes(3))).toMatchObject({ isPending: true });
  await paying.sweep(minutes(15));
  expect(await paying.find(gameId, playerId, minutes(20))).toMatchObject({
    id: holdId,
    isPending: true,
    holdsSpot: false,
  });
  const other = await aGame(db());
  await paying.hold(other, playerId, { now: minutes(30) });
  await deliver(bank.succeeded, minutes(DAYS_2));
  await paying.work(minutes(DAYS_2));
  expect(await playersOf(gameId)).toEqual([playerId]);
  expect(await paymentStatuses(db(), playerId)).toEqual(["Booked", "Held"]);
});

test("who is in another game by then is not booked by late money, whether or not a spot was held", async () => {
  const gameId = await aGame(db(), { startsIn: 96 });
  const playerId = await ben(db());
  for (const at of [0, 20, 40]) await paying.hold(gameId, playerId, { now: minutes(at) });
  expect((await paymentHoldsOf(db(), playerId)).map((one) => one.holds_spot)).toEqual([
    ...[true, true, false],
  ]);
  const bank = singlePurchase(playerId);
  await deliver(bank.unpaid, minutes(41));
  await topUp(db(), { userId: playerId, amountCents: 1_000, key: playerId });
  await list.join(await aGame(db(), { startsIn: 96 }), playerId, minutes(42));
  await deliver(bank.succeeded, minutes(DAYS_2));
  await paying.work(minutes(DAYS_2));
  expect(await playersOf(gameId)).toEqual([]);
  expect((await paymentHoldsOf(db(), playerId)).at(-1)).toMatchObject({
    declined_reason: "plays-meanwhile",
  });
});

test("a payment that fails leaves the game to the next one", async () => {
  const { gameId, playerId } = await aPayer();
  const bank = singlePurchase(playerId);
  await deliver([bank.unpaid, bank.failed], minutes(3));
  expect(await paying.find(gameId, playerId, minutes(3))).toMatchObject({ isPending: false });
  await paying.pay(playerId, minutes(5));
  expect(await playersOf(gameId)).toEqual([playerId]);
});

test("a button that was pressed two days ago books nothing by a payment of its own", async () => {
  const { gameId, playerId } = await aPayer();
  await paying.pay(playerId, minutes(DAYS_2));
  expect(await playersOf(gameId)).toEqual([]);
  expect(await balanceCents(db(), playerId)).toBe(1_000);
});

test.each(["checkout first", "invoice first"])("the first month books: %s", async (order) => {
  const { gameId, playerId } = await aPayer();
  const { completed, paid } = monthlyPurchase(playerId);
  await deliver(order === "checkout first" ? [completed, paid(0)] : [paid(0), completed]);
  await paying.work();
  expect(await playersOf(gameId)).toEqual([playerId]);
  expect(await paymentStatuses(db(), playerId)).toEqual(["Booked"]);
});

test("a renewal books nothing that was not paid for", async () => {
  const playerId = await ben(db());
  const plan = monthlyPurchase(playerId);
  await deliver([plan.completed, plan.paid(0)]);
  const gameId = await aGame(db());
  await paying.hold(gameId, playerId);
  await deliver(plan.paid(1));
  await paying.work();
  expect(await playersOf(gameId)).toEqual([]);
  expect(await paymentStatuses(db(), playerId)).toEqual(["Held"]);
});

test("who came in and left again meanwhile is not booked by late money", async () => {
  const { gameId, playerId } = await aPayer();
  const bank = singlePurchase(playerId);
  await deliver([bank.unpaid, singlePurchase(playerId).completed], minutes(3));
  const joined = await list.join(gameId, playerId, minutes(4));
  await list.cancel(joined, minutes(5));
  await deliver(bank.succeeded, minutes(60));
  await paying.work(minutes(60));
  expect((await bookingsOf(db(), gameId)).filter((one) => one.payment_status === "Paid")).toEqual(
    [],
  );
});

test("a player who joins by other credits takes the held spot", async () => {
  const { gameId, playerId } = await aPayer();
  await deliver(singlePurchase(playerId).completed);
  await list.join(gameId, playerId, minutes(1));
  await paying.work(minutes(1));
  expect(await playersOf(gameId)).toEqual([playerId]);
  expect(await paymentStatuses(db(), playerId)).toEqual(["Booked"]);
  expect((await checkBooks(db())).differences).toEqual([]);
});
