import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { ada, aGame, ben, bookingsOf, everything, hoursLater, NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { addPlayer } from "./add-player.server.ts";
import { markPaid, undoPayment } from "./cash-payments.server.ts";
import { removePlayer } from "./roster.server.ts";
import { setCollected, setKept } from "./cash-decisions.server.ts";

const database = useDatabase(20);
withoutTimeouts(database);
afterEach(() => expectRightBooks(database));

const TEN = { amountCents: 1_000, method: "Cash" } as const;

/** Ada on the list, unpaid, and an organiser; the game has begun. */
async function anUnpaidSeat({ startsIn = -1 } = {}) {
  const { db, jobs } = database;
  const [gameId, playerId, actorId] = [await aGame(db, { startsIn }), await ada(db), await ben(db)];
  const added = await addPlayer(db, jobs, { gameId, playerId, actorId, now: NOW });
  if (!added.ok) throw new Error(added.reason);
  const seat = { gameId, bookingId: added.bookingId, actorId, now: NOW };
  const booking = async () => (await bookingsOf(db, gameId))[0]!;
  return { seat, gameId, playerId, actorId, bookingId: added.bookingId, booking };
}

const lastAction = async (subject: string) => {
  const entries = database.db.selectFrom("audit_log").select(["actor", "action", "details"]);
  return entries.where("subject", "=", subject).orderBy("id", "desc").executeTakeFirst();
};

describe("what is not collected", () => {
  test("is recorded with its organiser, once, and taken back", async () => {
    const { seat, playerId, bookingId, gameId, actorId, booking } = await anUnpaidSeat();
    const [no, yes] = [
      { ...seat, isCollected: false },
      { ...seat, isCollected: true },
    ];
    expect(await setCollected(database.db, no)).toEqual({ ok: true });
    expect(await booking()).toMatchObject({ payment_status: "Unpaid", not_collected_at: NOW });
    expect(await lastAction(bookingId)).toEqual({
      actor: actorId,
      action: "booking.not-collected",
      details: { gameId, playerId, before: { isCollected: true }, after: { isCollected: false } },
    });
    const once = await everything(database.db);
    expect(await setCollected(database.db, { ...no, now: hoursLater(1) })).toEqual({ ok: true });
    expect(await everything(database.db)).toEqual(once);
    expect(await setCollected(database.db, yes)).toEqual({ ok: true });
    expect((await booking()).not_collected_at).toBeNull();
    expect((await lastAction(bookingId))?.action).toBe("booking.collected");
  });

  test("can still be paid, and a mistake makes it due again", async () => {
    const { seat, booking } = await anUnpaidSeat();
    await setCollected(database.db, { ...seat, isCollected: false });
    const cashPaymentId = crypto.randomUUID();
    await markPaid(database.db, { ...seat, ...TEN, cashPaymentId });
    await undoPayment(database.db, { ...seat, cashPaymentId, kind: "Mistake" });
    expect(await booking()).toMatchObject({ payment_status: "Unpaid", not_collected_at: null });
  });

  test("is no word on a booking that has ended", async () => {
    const { seat, booking } = await anUnpaidSeat();
    await setCollected(database.db, { ...seat, isCollected: false });
    await removePlayer(database.db, database.jobs, { ...seat, withRefund: false });
    expect(await booking()).toMatchObject({ payment_status: "Cancelled", not_collected_at: null });
  });

  type Seat = Awaited<ReturnType<typeof anUnpaidSeat>>["seat"];
  test.each<[string, string, (seat: Seat) => Promise<unknown>]>([
    [
      "not-unpaid",
      "a paid seat",
      (seat) => markPaid(database.db, { ...seat, ...TEN, cashPaymentId: crypto.randomUUID() }),
    ],
    [
      "gone",
      "a player who was removed",
      (seat) => removePlayer(database.db, database.jobs, { ...seat, withRefund: false }),
    ],
    [
      "not-on",
      "a cancelled game",
      ({ gameId }) =>
        database.pool.query("update games set status = 'Cancelled' where id = $1", [gameId]),
    ],
  ])("%s: %s", async (reason, _, change) => {
    const { seat } = await anUnpaidSeat();
    await change(seat);
    const before = await everything(database.db);
    const failed = await setCollected(database.db, { ...seat, isCollected: false });
    expect(failed).toEqual({ ok: false, reason });
    expect(await everything(database.db)).toEqual(before);
  });

  test("is decided from kick-off, and of a booking of that game", async () => {
    const { seat } = await anUnpaidSeat({ startsIn: 1 });
    const no = { ...seat, isCollected: false };
    expect(await setCollected(database.db, no)).toEqual({ ok: false, reason: "not-started" });
    expect(await setCollected(database.db, { ...no, now: hoursLater(1) })).toEqual({ ok: true });
    for (const wrong of [{ gameId: await aGame(database.db) }, { bookingId: "x" }]) {
      const failed = await setCollected(database.db, { ...no, ...wrong });
      expect(failed).toEqual({ ok: false, reason: "not-found" });
    }
  });
});

describe("cash of who is no longer in", () => {
  async function aRemovedPlayer() {
    const made = await anUnpaidSeat();
    const cashPaymentId = crypto.randomUUID();
    await markPaid(database.db, { ...made.seat, ...TEN, cashPaymentId });
    const payment = { ...made.seat, cashPaymentId };
    const stillIn = await setKept(database.db, { ...payment, isKept: true });
    await removePlayer(database.db, database.jobs, { ...made.seat, withRefund: false });
    const rows = database.db.selectFrom("cash_payments").selectAll();
    const row = () => rows.where("id", "=", cashPaymentId).executeTakeFirstOrThrow();
    return { ...made, payment, row, stillIn };
  }

  test("is kept, which is recorded once, and owed again", async () => {
    const { payment, row, bookingId, gameId, playerId, actorId, stillIn } = await aRemovedPlayer();
    expect(stillIn).toEqual({ ok: false, reason: "still-in" });
    expect(await setKept(database.db, { ...payment, isKept: true })).toEqual({ ok: true });
    expect(await row()).toMatchObject({ kept_at: NOW, undone_kind: null });
    const amount = { amount_eur: "10.00", method: "Cash" };
    expect(await lastAction(bookingId)).toEqual({
      actor: actorId,
      action: "booking.cash-kept",
      details: {
        ...{ gameId, playerId },
        before: { isKept: false, ...amount },
        after: { isKept: true },
      },
    });
    const once = await everything(database.db);
    expect(await setKept(database.db, { ...payment, isKept: true })).toEqual({ ok: true });
    expect(await everything(database.db)).toEqual(once);
    expect(await setKept(database.db, { ...payment, isKept: false })).toEqual({ ok: true });
    expect((await row()).kept_at).toBeNull();
    expect((await lastAction(bookingId))?.action).toBe("booking.cash-due");
  });

  test("that was kept can be given back, and then not be kept", async () => {
    const { payment, row } = await aRemovedPlayer();
    await setKept(database.db, { ...payment, isKept: true });
    const back = await undoPayment(database.db, { ...payment, kind: "GivenBack" });
    expect(back).toEqual({ ok: true, isIn: false });
    expect(await row()).toMatchObject({ kept_at: null, undone_kind: "GivenBack" });
    const late = await setKept(database.db, { ...payment, isKept: true });
    expect(late).toEqual({ ok: false, reason: "given-back" });
  });

  test("is found by the payment and the booking together", async () => {
    const { payment, gameId, actorId } = await aRemovedPlayer();
    const { db, jobs } = database;
    const other = { gameId, playerId: await ada(db), actorId, now: NOW };
    const added = await addPlayer(db, jobs, other);
    if (!added.ok) throw new Error(added.reason);
    const { bookingId } = added;
    await removePlayer(db, jobs, { ...other, bookingId, withRefund: false });
    for (const wrong of [{ cashPaymentId: "x" }, { bookingId }, { gameId: bookingId }]) {
      const failed = await setKept(database.db, { ...payment, ...wrong, isKept: true });
      expect(failed).toEqual({ ok: false, reason: "not-found" });
    }
  });
});

/** One organiser notes the cash while another says that it is not collected. */
async function paidAndNotCollected(db: Db) {
  const { seat, booking } = await anUnpaidSeat();
  const payment = { ...seat, ...TEN, cashPaymentId: crypto.randomUUID() };
  await Promise.all([markPaid(db, payment), setCollected(db, { ...seat, isCollected: false })]);
  const { payment_status, not_collected_at } = await booking();
  return [payment_status, not_collected_at];
}

test("a seat that is paid at the same moment is not marked as not collected", async () => {
  for (let round = 0; round < 10; round += 1) {
    expect(await paidAndNotCollected(database.db)).toEqual(["Paid", null]);
  }
});

test("without the lock it is now and then", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let round = 0; round < 300; round += 1) {
    const [, notCollectedAt] = await paidAndNotCollected(unlocked);
    if (notCollectedAt !== null) return;
  }
  expect.fail("the property held in 300 rounds without its guard");
});
