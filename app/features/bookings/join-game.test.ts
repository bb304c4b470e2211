import { describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import {
  ada,
  aGame,
  aPlayer,
  balanceCents,
  ben,
  bookingsOf,
  everything,
  hoursLater,
  NOW,
} from "#test/fixtures.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "./join-game.server.ts";

const database = useDatabase();
const join = (
  gameId: string,
  playerId: string,
  more: { now?: Date; shown?: { price: string } } = {},
) => joinGame(database.db, database.jobs, { gameId, playerId, now: NOW, ...more });
const edit = (gameId: string, columns: object) =>
  database.db.updateTable("games").set(columns).where("id", "=", gameId).execute();
const waiting = async (queue: string) =>
  (
    await database.pool.query(
      "select data - 'kind' as data from pgboss.job where name = 'mail.send' and data->>'kind' = $1",
      [queue],
    )
  ).rows;

/** The action's result; the database has to be the same before and after. */
async function withoutTrace<T>(action: () => Promise<T>): Promise<T> {
  const before = await everything(database.db);
  const result = await action();
  expect(await everything(database.db)).toEqual(before);
  return result;
}

// spec: 1.6, 3.5, 3.22, 4.17, 7.19, 7.21, 9.1
test("a join is a seat, a booking, a deduction and a mail", async () => {
  const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
  const result = await join(gameId, playerId, { shown: { price: "10" } });
  const [booking] = await bookingsOf(database.db, gameId);
  expect(result).toEqual({ ok: true, bookingId: booking?.id, priceCents: 1_000 });
  expect(booking).toMatchObject({
    user_id: playerId,
    payment_status: "Paid",
    price_eur: "10.00",
    refund_hours: 24,
    refund_fee_eur: "0.99",
    uses_free_session: false,
    created_at: NOW,
  });
  const entries = database.db.selectFrom("wallet_transactions").selectAll();
  const [entry] = await entries.where("booking_id", "=", booking!.id).execute();
  expect(entry).toMatchObject({
    user_id: playerId,
    type: "deduction",
    amount_eur: "-10.00",
    status: "completed",
  });
  expect(await balanceCents(database.db, playerId)).toBe(9_000);
  expect(await waiting("booking-confirmed")).toContainEqual({
    data: { bookingId: booking?.id },
  });
  expect((await checkBooks(database.db)).differences).toEqual([]);
});

describe("each error is distinct and writes nothing", () => {
  test.each(["", "5", "games", `${crypto.randomUUID()}\0`, crypto.randomUUID()])(
    "%j is no game",
    async (gameId) => {
      const playerId = await ada(database.db);
      const result = await withoutTrace(() => join(gameId, playerId));
      expect(result).toEqual({ ok: false, reason: "not-found" });
    },
  );

  test.each(["Draft", "Cancelled", "Completed"] as const)("a game that is %s", async (status) => {
    const [gameId, playerId] = [await aGame(database.db, { status }), await ada(database.db)];
    const result = await withoutTrace(() => join(gameId, playerId));
    expect(result).toEqual({ ok: false, reason: "not-published" });
  });

  // spec: 4.19
  test("already in", async () => {
    const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
    await join(gameId, playerId);
    const result = await withoutTrace(() => join(gameId, playerId));
    expect(result).toEqual({ ok: false, reason: "already-joined" });
  });

  test("until kick-off, to the second", async () => {
    const [gameId, playerId] = [await aGame(database.db, { startsIn: 2 }), await ada(database.db)];
    const result = await withoutTrace(() => join(gameId, playerId, { now: hoursLater(2) }));
    expect(result).toEqual({ ok: false, reason: "started" });
    const lastCall = new Date(hoursLater(2).getTime() - 1_000);
    expect(await join(gameId, playerId, { now: lastCall })).toMatchObject({ ok: true });
  });

  // spec: 4.20
  test("full", async () => {
    const [gameId, playerId] = [await aGame(database.db, { spots: 1 }), await ada(database.db)];
    await join(gameId, await ada(database.db));
    const result = await withoutTrace(() => join(gameId, playerId));
    expect(result).toEqual({ ok: false, reason: "full" });
  });

  test("not enough credits, by a cent", async () => {
    const [gameId, playerId] = [
      await aGame(database.db),
      await aPlayer(database.db, { credits: 9.99 }),
    ];
    const result = await withoutTrace(() => join(gameId, playerId));
    expect(result).toMatchObject({ ok: false, reason: "not-enough-credits", priceCents: 1_000 });
  });

  test("another price than the one shown", async () => {
    const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
    for (const price of ["0", "9.99", "10.01"]) {
      const result = await withoutTrace(() => join(gameId, playerId, { shown: { price } }));
      expect(result).toEqual({
        ok: false,
        reason: "changed",
        newFacts: "The price is now 10 credits.",
      });
    }
  });
});

// spec: 9.39
test("of several errors the first in a fixed order is returned", async () => {
  const gameId = await aGame(database.db, { spots: 1, startsIn: 1 });
  const [inIt, poor] = [await ada(database.db), await ben(database.db)];
  await join(gameId, inIt);
  const late = { now: hoursLater(1), shown: { price: "0.05" } };
  const reason = async (playerId: string, more = late) => {
    const result = await join(gameId, playerId, more);
    return result.ok || result.reason;
  };
  expect(await reason(inIt)).toBe("already-joined");
  expect(await reason(poor)).toBe("started");
  expect(await reason(poor, { ...late, now: NOW })).toBe("full");
  await edit(gameId, { max_players: 2 });
  expect(await reason(poor, { ...late, now: NOW })).toBe("changed");
  expect(await reason(poor, { now: NOW, shown: { price: "10" } })).toBe("not-enough-credits");
  await edit(gameId, { status: "Draft" });
  expect(await reason(inIt)).toBe("not-published");
});

describe("an edit by SQL takes effect at once", () => {
  test("more and fewer seats", async () => {
    const gameId = await aGame(database.db, { spots: 1 });
    await join(gameId, await ada(database.db));
    expect(await join(gameId, await ada(database.db))).toMatchObject({ reason: "full" });
    await edit(gameId, { max_players: 2 });
    expect(await join(gameId, await ada(database.db))).toMatchObject({ ok: true });
    await expect(edit(gameId, { max_players: 1 })).rejects.toThrow("games_seats_within_capacity");
  });

  test("another kick-off", async () => {
    const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
    await edit(gameId, { date: "2026-11-21", start_time: "12:00", end_time: "13:00" });
    const game = database.db.selectFrom("games").select(["starts_at", "ends_at"]);
    expect(await game.where("id", "=", gameId).executeTakeFirst()).toEqual({
      starts_at: NOW,
      ends_at: hoursLater(1),
    });
    expect(await join(gameId, playerId)).toEqual({ ok: false, reason: "started" });
  });
});

test("a join that fails at its last step leaves no seat, no deduction and no mail", async () => {
  const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
  // The check is deferred to the commit, when everything has been written, the job too.
  await database.pool.query(`
    create function reject_booking() returns trigger language plpgsql as
      $$ begin raise exception 'rejected at the end'; end $$;
    create constraint trigger reject_booking after insert on bookings
      deferrable initially deferred for each row execute function reject_booking()`);
  try {
    await withoutTrace(() => expect(join(gameId, playerId)).rejects.toThrow("rejected at the end"));
  } finally {
    await database.pool.query("drop function reject_booking cascade");
  }
  expect(await join(gameId, playerId)).toMatchObject({ ok: true });
});

test("a join whose mail cannot be queued leaves nothing", async () => {
  const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
  const jobs = {
    ...database.jobs,
    toEnqueueEmail: () => Promise.reject(new Error("queue is down")),
  };
  const attempt = () => joinGame(database.db, jobs, { gameId, playerId, now: NOW });
  await withoutTrace(() => expect(attempt()).rejects.toThrow("queue is down"));
});

test("a player who cancelled may join again while there is a seat", async () => {
  const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
  await join(gameId, playerId);
  await database.db.updateTable("bookings").set({ payment_status: "Cancelled" }).execute();
  expect(await join(gameId, playerId)).toMatchObject({ ok: true });
  await cancelGame(database.db, database.jobs, { gameId, now: NOW });
  expect(await join(gameId, playerId)).toMatchObject({ reason: "not-published" });
});
