import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, balanceCents, everything, NOW } from "#test/fixtures.ts";
import { seatsPaidByHand, TEN } from "#test/seats-paid-by-hand.ts";
import type { CashMethod } from "#app/platform/schema.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { listLiveCash, markPaid } from "./cash-payments.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { removePlayer } from "./roster.server.ts";

const database = useDatabase();
afterEach(() => expectRightBooks(database));

const { anUnpaidSeat, actionsOn } = seatsPaidByHand(database);

test("what was paid by hand is noted with its amount, method and organiser, and no credits move", async () => {
  const { playerId, actorId, bookingId, gameId, pay, rows, status } = await anUnpaidSeat();
  const id = crypto.randomUUID();
  expect(await pay(id, { amountCents: 750, method: "MobilePay" })).toEqual({ ok: true });
  expect(await status()).toBe("Paid");
  expect(await rows()).toMatchObject([
    { id, amount_eur: "7.50", method: "MobilePay", noted_by: actorId, noted_at: NOW },
  ]);
  expect(await balanceCents(database.db, playerId)).toBe(10_000);
  expect((await actionsOn(bookingId)).at(-1)).toEqual({
    action: "booking.mark-paid",
    details: {
      ...{ gameId, playerId, formKey: id },
      before: { payment_status: "Unpaid", price_eur: "0.00" },
      after: { payment_status: "Paid", price_eur: "0.00", amount_eur: "7.50", method: "MobilePay" },
    },
  });
});

test("the form of a payment sent twice is one payment, and with other input none", async () => {
  const { pay, rows } = await anUnpaidSeat();
  const id = crypto.randomUUID();
  expect([await pay(id), await pay(id)]).toEqual([{ ok: true }, { ok: true }]);
  for (const other of [
    { ...TEN, amountCents: 900 },
    { ...TEN, method: "Other" as CashMethod },
  ]) {
    expect(await pay(id, other)).toEqual({ ok: false, reason: "form-used" });
  }
  expect(await rows()).toHaveLength(1);
});

test("a form whose payment was taken back since notes nothing, and says so", async () => {
  const { pay, undo, rows, status } = await anUnpaidSeat();
  const [id, other] = [crypto.randomUUID(), crypto.randomUUID()];
  await pay(id);
  await undo(id);
  expect(await pay(id)).toEqual({ ok: false, reason: "noted-before" });
  expect(await status()).toBe("Unpaid");
  await pay(other);
  expect(await pay(id)).toEqual({ ok: false, reason: "paid-already", cash: TEN });
  expect(await rows()).toHaveLength(2);
});

test("a payment noted by mistake leaves an unpaid seat, which can be paid again", async () => {
  const { bookingId, pay, undo, rows, status, actorId } = await anUnpaidSeat();
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  await pay(first);
  const undone = { ok: true, isIn: true };
  expect([await undo(first), await undo(first)]).toEqual([undone, undone]);
  expect(await status()).toBe("Unpaid");
  expect(await rows()).toMatchObject([
    { undone_kind: "Mistake", undone_by: actorId, undone_at: NOW },
  ]);
  await pay(second, { amountCents: 500, method: "Other" });
  // The form of the first one names it: it does not take back the second.
  expect(await undo(first)).toEqual(undone);
  expect(await status()).toBe("Paid");
  expect((await actionsOn(bookingId)).map(({ action }) => action)).toEqual([
    ...["booking.add", "booking.mark-paid", "booking.mark-unpaid", "booking.mark-paid"],
  ]);
});

describe("cash is to be given back until somebody has", () => {
  type Seat = Awaited<ReturnType<typeof anUnpaidSeat>>;
  test.each<[string, (seat: Seat) => Promise<unknown>]>([
    [
      "of a player who is removed",
      ({ seat }) => removePlayer(database.db, database.jobs, { ...seat, withRefund: true }),
    ],
    ["of a cancelled game", ({ seat }) => cancelGame(database.db, database.jobs, seat)],
    [
      "of a player who cancels",
      ({ seat, playerId }) => cancelBooking(database.db, database.jobs, { ...seat, playerId }),
    ],
  ])("%s", async (_, end) => {
    const seat = await anUnpaidSeat();
    const { gameId, bookingId, playerId, pay, undo, status } = seat;
    const id = crypto.randomUUID();
    await pay(id);
    expect(await undo(id, "GivenBack")).toEqual({ ok: false, reason: "still-in" });
    await end(seat);
    expect(await status()).toBe("Cancelled");
    expect(await balanceCents(database.db, playerId)).toBe(10_000);
    expect(await listLiveCash(database.db, gameId)).toEqual(
      new Map([[bookingId, { cashPaymentId: id, isKept: false, ...TEN }]]),
    );
    const undone = { ok: true, isIn: false };
    expect([await undo(id, "GivenBack"), await undo(id, "GivenBack")]).toEqual([undone, undone]);
    expect(await undo(id)).toEqual({ ok: false, reason: "given-back" });
    expect(await status()).toBe("Cancelled");
    expect((await listLiveCash(database.db, gameId)).size).toBe(0);
    expect((await actionsOn(bookingId)).at(-1)?.action).toBe("booking.cash-back");
  });
});

test("a payment noted by mistake is one also once the player has left, who stays away", async () => {
  const { db, jobs } = database;
  const seat = await anUnpaidSeat();
  const { gameId, bookingId, playerId, pay, undo, status, rows } = seat;
  const id = crypto.randomUUID();
  await pay(id);
  await cancelBooking(db, jobs, { ...seat.seat, playerId });
  const undone = { ok: true, isIn: false };
  expect([await undo(id), await undo(id)]).toEqual([undone, undone]);
  expect(await undo(id, "GivenBack")).toEqual({ ok: false, reason: "never-paid" });
  expect(await status()).toBe("Cancelled");
  expect(await rows()).toMatchObject([{ undone_kind: "Mistake" }]);
  expect((await listLiveCash(db, gameId)).size).toBe(0);
  expect((await actionsOn(bookingId)).at(-1)).toMatchObject({
    action: "booking.cash-mistake",
    details: { before: { amount_eur: "10.00", payment_status: "Cancelled" } },
  });
});

test("no payment is noted for a paid seat, one that is gone, another game's or no id", async () => {
  const { db, jobs } = database;
  const { seat, gameId, pay, undo } = await anUnpaidSeat();
  const joined = await joinGame(db, jobs, { gameId, playerId: await ada(db), now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const elsewhere = await aGame(db);
  const before = await everything(db);
  const paid = { ...seat, ...TEN, bookingId: joined.bookingId };
  const cashPaymentId = crypto.randomUUID();
  expect(await markPaid(db, { ...paid, cashPaymentId })).toEqual({
    ...{ ok: false, reason: "paid-already", cash: null },
  });
  expect(await markPaid(db, { ...seat, ...TEN, gameId: elsewhere, cashPaymentId })).toEqual({
    ...{ ok: false, reason: "not-found" },
  });
  expect(await pay("x")).toEqual({ ok: false, reason: "form-used" });
  for (const id of ["x", cashPaymentId]) {
    expect(await undo(id)).toEqual({ ok: false, reason: "not-found" });
  }
  expect(await everything(db)).toEqual(before);
  await removePlayer(db, jobs, { ...seat, withRefund: false });
  const after = await everything(db);
  expect(await pay(cashPaymentId)).toEqual({ ok: false, reason: "gone" });
  expect(await everything(db)).toEqual(after);
});
