import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, bookingsOf, everything, hoursLater, NOW } from "#test/fixtures.ts";
import type { Attendance } from "#app/platform/schema.ts";
import { joinGame } from "./join-game.server.ts";
import { markAttendance, removePlayer } from "./roster.server.ts";

const database = useDatabase();

async function aSeat(startsIn = 1) {
  const [gameId, playerId] = [await aGame(database.db, { startsIn }), await ada(database.db)];
  const joined = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const actorId = await ben(database.db);
  const mark = (from: Attendance | null, to: Attendance | null, now = NOW) =>
    markAttendance(database.db, { ...joined, gameId, actorId, from, to, now });
  return { gameId, playerId, actorId, bookingId: joined.bookingId, mark };
}
const attendanceIn = async (gameId: string) =>
  (await bookingsOf(database.db, gameId))[0]?.attendance;
const entriesOn = (subject: string) =>
  database.db.selectFrom("audit_log").selectAll().where("subject", "=", subject).execute();

test("a check-in, its undo and a no-show are each recorded", async () => {
  const { gameId, playerId, actorId, bookingId, mark } = await aSeat();
  expect(await mark(null, "CheckedIn")).toEqual({ ok: true });
  expect(await attendanceIn(gameId)).toBe("CheckedIn");
  expect(await mark("CheckedIn", null)).toEqual({ ok: true });
  expect(await mark(null, "NoShow", hoursLater(30))).toEqual({ ok: true });
  expect(await attendanceIn(gameId)).toBe("NoShow");
  const entries = await entriesOn(bookingId);
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual(
    Array.from({ length: 3 }, () => [actorId, "booking.attendance"]),
  );
  expect(entries[0]?.details).toEqual({
    gameId,
    playerId,
    before: { attendance: null },
    after: { attendance: "CheckedIn" },
  });
});

test("a tap that arrives twice is recorded once", async () => {
  const { bookingId, mark } = await aSeat();
  await mark(null, "CheckedIn");
  expect(await mark(null, "CheckedIn")).toEqual({ ok: true });
  expect(await entriesOn(bookingId)).toHaveLength(1);
});

test("of two organisers who mark differently at once the second gets a conflict", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { gameId, mark } = await aSeat();
    const results = await Promise.all([mark(null, "CheckedIn"), mark(null, "NoShow")]);
    const current = await attendanceIn(gameId);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, reason: "changed", current });
  }
});

test("not earlier than an hour before kick-off", async () => {
  const { mark } = await aSeat(1.01);
  expect(await mark(null, "NoShow")).toEqual({ ok: false, reason: "too-early" });
  expect(await mark(null, "NoShow", hoursLater(0.01))).toEqual({ ok: true });
});

test("attendance cannot be marked for players who left, or in a cancelled or another game", async () => {
  const { gameId, bookingId, actorId, mark } = await aSeat();
  const elsewhere = { gameId: await aGame(database.db), bookingId, actorId, from: null, now: NOW };
  for (const gone of [elsewhere, { ...elsewhere, gameId: "x" }, { ...elsewhere, bookingId: "x" }]) {
    const result = await markAttendance(database.db, { ...gone, to: "CheckedIn" });
    expect(result).toEqual({ ok: false, reason: "not-found" });
  }
  const removal = { gameId, bookingId, actorId, withRefund: false, now: NOW };
  await removePlayer(database.db, database.jobs, removal);
  const before = await everything(database.db);
  expect(await mark(null, "CheckedIn")).toEqual({ ok: false, reason: "gone" });
  const cancelled = { status: "Cancelled" as const };
  expect(await everything(database.db)).toEqual(before);
  await database.db.updateTable("games").set(cancelled).where("id", "=", gameId).execute();
  expect(await mark(null, "CheckedIn")).toEqual({ ok: false, reason: "not-on" });
});
