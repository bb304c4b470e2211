import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, balanceCents, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { bookingOf, entryOf, entriesIn, statusesIn, waitlistOf } from "#test/waitlist.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { leaveWaitlist } from "./join-waitlist.server.ts";
import { listOwnEntries } from "./entries.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
afterEach(() => expectRightBooks(database));

const minutesLater = (hours: number, minutes: number) => hoursLater(hours + minutes / 60);
const promotionsOf = async (gameId: string) => {
  const { rowCount } = await database.pool.query(
    "select from pgboss.job where name = 'waitlist.promote' and data->>'gameId' = $1",
    [gameId],
  );
  return rowCount;
};

describe("the first who waits", () => {
  test("is booked at the price agreed to, and notified", async () => {
    const { gameId, seat } = await list.fullGame();
    const [first, second] = await list.waiters(gameId, 2);
    await list.cancel(seat);
    expect(await promotionsOf(gameId)).toBe(1);
    expect(await list.promote(gameId, hoursLater(1))).toBe(1);
    const booking = await bookingOf(database.db, gameId, first!);
    expect(booking).toMatchObject({
      ...{ payment_status: "Paid", price_eur: "10.00", refund_hours: 24 },
      ...{ created_at: hoursLater(1), free_cancel_until: null },
    });
    expect(await entryOf(database.db, gameId, first!)).toMatchObject({
      ...{ status: "Promoted", booking_id: booking.id, ended_at: hoursLater(1) },
    });
    expect(await balanceCents(database.db, first!)).toBe(0);
    expect(await balanceCents(database.db, second!)).toBe(1_000);
    expect(await list.mailsTo(booking.id)).toEqual(["waitlist-booked"]);
  });

  test("need not wait until somebody looks for jobs", async () => {
    const { gameId, seat } = await list.fullGame();
    await list.waiters(gameId, 1);
    const worker = await database.pool.connect();
    await worker.query("listen urgent_jobs");
    const heard = once(worker, "notification");
    await list.cancel(seat);
    expect((await heard)[0]).toMatchObject({ payload: "waitlist.promote" });
    worker.release(true);
  });

  test("is booked once, however often the promotion runs", async () => {
    const { gameId, seat } = await list.fullGame();
    await list.waiters(gameId, 2);
    await list.cancel(seat);
    expect([await list.promote(gameId), await list.promote(gameId)]).toEqual([1, 0]);
    expect(await statusesIn(database.db, gameId)).toEqual(["Promoted", "Waiting"]);
  });

  test("has a free first session where the game has one", async () => {
    const { gameId, seat } = await list.fullGame({ is_first_session_free: true });
    const playerId = await aPlayer(database.db);
    await list.wait(gameId, playerId);
    await list.cancel(seat);
    await list.promote(gameId);
    const booking = await bookingOf(database.db, gameId, playerId);
    expect(booking).toMatchObject({ price_eur: "0.00", uses_free_session: true });
  });

  test("gets the seat of another, and as many get one as are free", async () => {
    const { gameId, seats } = await list.fullGame({ spots: 3 });
    await list.waiters(gameId, 4);
    for (const seat of seats) await list.cancel(seat);
    expect(await list.promote(gameId)).toBe(3);
    expect(await statusesIn(database.db, gameId)).toEqual([
      ...["Promoted", "Promoted", "Promoted", "Waiting"],
    ]);
  });

  test("nobody is promoted to a spot that is not free, or in a game that does not exist", async () => {
    const { gameId } = await list.fullGame();
    await list.waiters(gameId, 1);
    expect(await list.promote(gameId)).toBe(0);
    expect(await list.promote(crypto.randomUUID())).toBe(0);
  });
});

describe("who is booked less than 24 hours before kick-off", () => {
  test.each([
    [20, 30, 1_000],
    [20, 31, 0],
    [24, 30, 0],
    [1.25, 15, 1_000],
    [1.25, 16, 0],
    [1, 0, 0],
  ])("%d h ahead and %d minutes later gets %d cents back", async (startsIn, minutes, back) => {
    const { gameId, seat } = await list.fullGame({ startsIn: 48 });
    const now = hoursLater(48 - startsIn);
    const [playerId] = await list.waiters(gameId, 1);
    await list.cancel(seat, now);
    await list.promote(gameId, now);
    const { id: bookingId } = await bookingOf(database.db, gameId, playerId!);
    const later = new Date(now.getTime() + minutes * 60_000);
    const own = { bookingId, playerId: playerId! };
    expect(await list.cancel(own, later)).toMatchObject({ ok: true, creditsBackCents: back });
    expect(await balanceCents(database.db, playerId!)).toBe(back);
  });

  test.each([
    [30, true],
    [31, false],
  ])("for free has the free session back %d minutes later: %s", async (minutes, isBack) => {
    const { gameId, seat } = await list.fullGame({ startsIn: 20, is_first_session_free: true });
    const playerId = await aPlayer(database.db);
    await list.wait(gameId, playerId);
    await list.cancel(seat);
    await list.promote(gameId);
    const { id: bookingId } = await bookingOf(database.db, gameId, playerId);
    const formKey = crypto.randomUUID();
    const now = hoursLater(minutes / 60);
    const cancel = () =>
      cancelBooking(database.db, database.jobs, { bookingId, playerId, formKey, now });
    const back = { ok: true, creditsBackCents: 0, lateRefundCents: 0, isFreeSessionBack: isBack };
    expect([await cancel(), await cancel()]).toEqual([back, back]);
    const { rows } = await database.pool.query(
      "select data - 'kind' as data from pgboss.job where name = 'mail.send' and data->>'kind' = 'booking-cancelled' and data->>'bookingId' = $1",
      [bookingId],
    );
    expect(rows).toEqual([{ data: { bookingId, isFreeSessionBack: isBack } }]);
    expect(await bookingOf(database.db, gameId, playerId)).toMatchObject({
      ...{ payment_status: "Cancelled", uses_free_session: !isBack },
    });
  });

  test("a full refund leaves nothing to come back when the spot is taken", async () => {
    const { gameId, seat } = await list.fullGame({ startsIn: 20 });
    const [playerId] = await list.waiters(gameId, 1);
    await list.cancel(seat);
    await list.promote(gameId);
    const { id: bookingId } = await bookingOf(database.db, gameId, playerId!);
    await list.cancel({ bookingId, playerId: playerId! });
    const after = await bookingOf(database.db, gameId, playerId!);
    expect(after).toMatchObject({ payment_status: "Refunded", late_refund_eur: null });
  });
});

describe("who is asked first", () => {
  const asked = async (startsIn: number, freedAt = NOW) => {
    const { gameId, seat } = await list.fullGame({ startsIn });
    const [first, second] = await list.waiters(gameId, 2, { mode: "ask" });
    await list.cancel(seat, freedAt);
    return { gameId, first: first!, second: second! };
  };
  const heldIn = async (gameId: string) => {
    const { rows } = await database.pool.query<{ spots_held: number }>(
      "select spots_held from games where id = $1",
      [gameId],
    );
    return rows[0]!.spots_held;
  };

  test.each([
    [48, 120],
    [16, 30],
    [1, 30],
    [0.5, 10],
  ])("%d hours ahead has the spot held for %d minutes", async (ahead, minutes) => {
    const now = hoursLater(48 - ahead);
    const { gameId, first } = await asked(48, now);
    expect(await list.promote(gameId, now)).toBe(1);
    const entry = await entryOf(database.db, gameId, first);
    const until = new Date(now.getTime() + minutes * 60_000);
    expect(entry).toMatchObject({ status: "Offered", offer_expires_at: until });
    expect(await heldIn(gameId)).toBe(1);
    expect(await bookingsOf(database.db, gameId)).toHaveLength(1);
    expect(await list.mailsTo(entry.id)).toEqual(["spot-offered"]);
  });

  test("is offered one spot, however often the promotion runs", async () => {
    const { gameId } = await asked(48);
    expect([await list.promote(gameId), await list.promote(gameId)]).toEqual([1, 0]);
    expect(await statusesIn(database.db, gameId)).toEqual(["Offered", "Waiting"]);
  });

  test("is behind those who were not asked yet, without an answer", async () => {
    const { gameId, first, second } = await asked(48);
    await list.promote(gameId);
    expect(await list.promote(gameId, minutesLater(1, 59))).toBe(0);
    expect(await list.promote(gameId, hoursLater(2))).toBe(1);
    const entry = await entryOf(database.db, gameId, first);
    expect(entry).toMatchObject({ status: "Waiting", missed_offers: 1 });
    expect(await list.mailsTo(entry.id)).toEqual(["spot-offered", "offer-missed"]);
    expect((await entryOf(database.db, gameId, second)).status).toBe("Offered");
    const [own] = await listOwnEntries(database.db, { playerId: first, now: NOW });
    expect(own).toMatchObject({ position: 2, waiting: 2 });
    const newcomer = await aPlayer(database.db);
    await list.wait(gameId, newcomer, { now: hoursLater(3) });
    const [last] = await listOwnEntries(database.db, { playerId: first, now: NOW });
    expect(last).toMatchObject({ position: 3, waiting: 3 });
  });

  test("who leaves while asked makes room for the next", async () => {
    const { gameId, first, second } = await asked(48);
    await list.promote(gameId);
    await leaveWaitlist(database.db, database.jobs, { gameId, playerId: first, now: NOW });
    expect(await heldIn(gameId)).toBe(0);
    expect(await promotionsOf(gameId)).toBe(2);
    await list.promote(gameId);
    expect((await entryOf(database.db, gameId, second)).status).toBe("Offered");
  });

  // 22:00 in Helsinki is 10 hours after NOW.
  test("is not asked at night, and the next who need not be asked gets the spot", async () => {
    const { gameId, seat } = await list.fullGame();
    const [first] = await list.waiters(gameId, 2, { mode: "ask" });
    const [auto] = await list.waiters(gameId, 1, { now: hoursLater(1) });
    await list.cancel(seat, hoursLater(10));
    expect(await list.promote(gameId, hoursLater(10))).toBe(1);
    expect((await entryOf(database.db, gameId, auto!)).status).toBe("Promoted");
    const entry = await entryOf(database.db, gameId, first!);
    expect(entry).toMatchObject({ status: "Waiting", passed_over: null });
    expect(await list.mailsTo(entry.id)).toEqual([]);
  });

  test("is asked in the morning for a spot that opened at night", async () => {
    const { gameId, first } = await asked(48, hoursLater(10));
    await list.promote(gameId, hoursLater(10));
    await list.sweep(minutesLater(19, 59));
    expect((await entryOf(database.db, gameId, first)).status).toBe("Waiting");
    await list.sweep(hoursLater(20));
    expect((await entryOf(database.db, gameId, first)).status).toBe("Offered");
  });
});

describe("the time that a player chose", () => {
  test("ends the waitlist entry, even while a spot is offered, and the player is notified once", async () => {
    const { gameId, seat } = await list.fullGame();
    const [first, second] = [
      await aPlayer(database.db, { credits: 10 }),
      await aPlayer(database.db),
    ];
    await list.wait(gameId, first, { mode: "ask", until: 24 });
    await list.wait(gameId, second, { until: 24, now: hoursLater(1) });
    await list.cancel(seat, hoursLater(22.5));
    await list.promote(gameId, hoursLater(22.5));
    const [asked] = await entriesIn(database.db, gameId);
    // Helsinki's night: the offer waits for the morning, and the morning is too late.
    expect(asked).toMatchObject({ status: "Offered", offer_expires_at: hoursLater(24) });
    for (let run = 0; run < 2; run += 1) await list.promote(gameId, hoursLater(24));
    for (const entry of await entriesIn(database.db, gameId)) {
      expect(entry).toMatchObject({ status: "Lapsed", end_reason: "TimePassed" });
      const mails = (await list.mailsTo(entry.id)).filter((name) => name === "waitlist-ended");
      expect(mails).toEqual(["waitlist-ended"]);
    }
  });
});
