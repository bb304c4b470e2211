import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, balanceCents, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { excuseNoShow } from "#app/features/roster/no-shows.server.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { cancelBooking, holdsSeats, leaveGames, lockSeatsOf } from "./cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "./join-game.server.ts";

const database = useDatabase();

async function booked(playerId: string, startsIn: number) {
  const gameId = await aGame(database.db, { startsIn });
  const now = hoursLater(Math.min(0, startsIn - 30));
  const result = await joinGame(database.db, database.jobs, { gameId, playerId, now });
  if (!result.ok) throw new Error(result.reason);
  return { gameId, bookingId: result.bookingId };
}
const leave = (playerId: string, now = NOW) =>
  database.db.transaction().execute(async (tx) => {
    const leaver = { playerId, now };
    const left = await leaveGames(tx, database.jobs, leaver, await lockSeatsOf(tx, leaver));
    return { left, holds: await holdsSeats(tx, { playerId, now }) };
  });
const statusOf = async (gameId: string) =>
  (await bookingsOf(database.db, gameId)).map((booking) => booking.payment_status).toSorted();

test("upcoming seats are given up by their own terms; played games stay", async () => {
  const [playerId, other] = [await ada(database.db), await ada(database.db)];
  const [far, near, begun] = [
    await booked(playerId, 48),
    await booked(playerId, 5),
    await booked(playerId, -1),
  ];
  await joinGame(database.db, database.jobs, { gameId: far.gameId, playerId: other, now: NOW });
  expect(await leave(playerId)).toEqual({ left: 2, holds: false });
  expect(await statusOf(far.gameId)).toEqual(["Paid", "Refunded"]);
  expect(await statusOf(near.gameId)).toEqual(["Cancelled"]);
  expect(await statusOf(begun.gameId)).toEqual(["Paid"]);
  expect(await balanceCents(database.db, playerId)).toBe(10_000 - 3_000 + 901);
  expect(await leave(playerId)).toEqual({ left: 0, holds: false });
  expect((await checkBooks(database.db)).differences).toEqual([]);
});

test("an unpaid seat is released too, without refund", async () => {
  const playerId = await ada(database.db);
  const gameId = await aGame(database.db, { startsIn: 48 });
  await database.db
    .insertInto("bookings")
    .values({ user_id: playerId, game_id: gameId, payment_status: "Unpaid" })
    .execute();
  expect(await leave(playerId)).toEqual({ left: 1, holds: false });
  expect(await statusOf(gameId)).toEqual(["Cancelled"]);
  expect(await balanceCents(database.db, playerId)).toBe(10_000);
});

test("the player's texts are deleted, those of others stay", async () => {
  const [playerId, other] = [await ada(database.db), await ada(database.db)];
  const gameId = await aGame(database.db, { startsIn: 48 });
  for (const id of [playerId, other]) {
    const joined = await joinGame(database.db, database.jobs, { gameId, playerId: id, now: NOW });
    if (!joined.ok) throw new Error(joined.reason);
    const cancellation = { bookingId: joined.bookingId, playerId: id, reason: "Flu", now: NOW };
    await cancelBooking(database.db, database.jobs, cancellation);
  }
  await leave(playerId);
  const reasons = (await bookingsOf(database.db, gameId)).map((booking) => booking.cancel_reason);
  expect(reasons.toSorted()).toEqual(["Flu", null]);
});

test("an organiser's note of an excused no-show goes too; that it is excused stays", async () => {
  const { db } = database;
  const [playerId, other] = [await ada(db), await ada(db)];
  const gameId = await aGame(db, { startsIn: -24 });
  for (const id of [playerId, other]) {
    const mark = { payment_status: "Paid", attendance: "NoShow" } as const;
    const bookings = db.insertInto("bookings").values({ user_id: id, game_id: gameId, ...mark });
    const { id: bookingId } = await bookings.returning("id").executeTakeFirstOrThrow();
    const excuse = { bookingId, playerId: id, actorId: other, note: "Fever", now: NOW };
    expect(await excuseNoShow(db, excuse)).toEqual({ ok: true });
  }
  await leave(playerId);
  const marks = (await bookingsOf(db, gameId)).map((booking) => [
    booking.no_show_excuse,
    booking.no_show_excused_by,
  ]);
  expect(marks.toSorted()).toEqual(
    [
      [null, other],
      ["Fever", other],
    ].toSorted(),
  );
});

test("an organiser's reason for putting the player first goes too, also with a place that is over", async () => {
  const list = waitlistOf(database);
  const { gameId } = await list.fullGame();
  const [playerId = "", other = ""] = await list.waiters(gameId, 2);
  const before = await list.fullGame();
  await list.wait(before.gameId, playerId);
  await database.db
    .updateTable("waitlist_entries")
    .set({ promote_reason: "Brings the goals" })
    .execute();
  await cancelGame(database.db, database.jobs, { gameId: before.gameId, now: NOW });
  await leave(playerId);
  const reasons = await database.db
    .selectFrom("waitlist_entries")
    .select(["user_id", "promote_reason"])
    .where("promote_reason", "is not", null)
    .execute();
  expect(reasons).toEqual([{ user_id: other, promote_reason: "Brings the goals" }]);
});
