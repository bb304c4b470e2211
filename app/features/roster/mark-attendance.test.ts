import { expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { ada, aGame, ben, bookingsOf, everything, hoursLater, NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { listenTo } from "#app/platform/postgres/listener.server.ts";
import type { Attendance } from "#app/platform/schema.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { checkInRest, markAttendance, removePlayer } from "./roster.server.ts";

const database = useDatabase(20);

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
  expect(await mark(null, "CheckedIn")).toEqual({ ok: true, current: "CheckedIn", version: 1 });
  expect(await attendanceIn(gameId)).toBe("CheckedIn");
  expect(await mark("CheckedIn", null)).toEqual({ ok: true, current: null, version: 2 });
  const noShow = { ok: true, current: "NoShow", version: 3 };
  expect(await mark(null, "NoShow", hoursLater(30))).toEqual(noShow);
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
    version: 1,
  });
});

test("each change of a mark updates pages that follow the game", async () => {
  const { gameId, mark } = await aSeat();
  const heard: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = listenTo(database.pool, {
    onListening: resolve,
    onPayload: { live_games: (payload) => void heard.push(payload) },
  });
  await promise;
  await mark(null, "CheckedIn");
  await mark(null, "CheckedIn");
  await mark("CheckedIn", "NoShow", hoursLater(1));
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(1));
  await listener.close();
  expect(heard).toEqual([gameId, gameId]);
});

test("a tap that arrives twice is recorded once", async () => {
  const { bookingId, mark } = await aSeat();
  await mark(null, "CheckedIn");
  expect(await mark(null, "CheckedIn")).toMatchObject({ ok: true, current: "CheckedIn" });
  expect(await entriesOn(bookingId)).toHaveLength(1);
});

test("of two organisers who mark differently at once the second gets a conflict", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { gameId, mark } = await aSeat();
    const at = hoursLater(1);
    const results = await Promise.all([mark(null, "CheckedIn", at), mark(null, "NoShow", at)]);
    const current = await attendanceIn(gameId);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toEqual({
      ...{ ok: false, reason: "changed", current, version: 1 },
    });
  }
});

test("a player is marked from an hour before kick-off, as a no-show from kick-off", async () => {
  const { mark } = await aSeat(1.01);
  expect(await mark(null, "CheckedIn")).toEqual({ ok: false, reason: "too-early" });
  expect(await mark(null, "CheckedIn", hoursLater(0.01))).toMatchObject({ ok: true });
  const early = await mark("CheckedIn", "NoShow", hoursLater(1));
  expect(early).toEqual({ ok: false, reason: "not-started" });
  expect(await mark("CheckedIn", "NoShow", hoursLater(1.01))).toMatchObject({ ok: true });
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

/** A game that is on, with so many players who are not marked. */
async function aCrowd(players: number) {
  const { db, jobs } = database;
  const [gameId, actorId] = [await aGame(db, { startsIn: 1 }), await ben(db)];
  for (let n = 0; n < players; n += 1) {
    await joinGame(db, jobs, { gameId, playerId: await ada(db), now: NOW });
  }
  const bookingIds = (await bookingsOf(db, gameId)).map(({ id }) => id);
  const checkIn = (formKey: string, own: Db = db, ids = bookingIds) =>
    checkInRest(own, { gameId, actorId, bookingIds: ids, formKey, now: NOW });
  const mark = (bookingId: string, to: Attendance) =>
    markAttendance(db, { gameId, bookingId, actorId, from: null, to, now: hoursLater(1) });
  const entries = async () => (await Promise.all(bookingIds.map(entriesOn))).flat();
  return { gameId, actorId, bookingIds, checkIn, mark, entries };
}

test("the rest is checked in: who was shown and is not marked, each recorded", async () => {
  const { gameId, bookingIds, checkIn, mark, entries } = await aCrowd(3);
  await mark(bookingIds[0]!, "NoShow");
  const unseen = await ada(database.db);
  await joinGame(database.db, database.jobs, { gameId, playerId: unseen, now: hoursLater(0.5) });
  expect(await checkIn(crypto.randomUUID())).toEqual({ ok: true, players: 2 });
  const marks = await bookingsOf(database.db, gameId);
  expect(marks.map(({ id, attendance }) => [bookingIds.indexOf(id), attendance])).toEqual([
    [0, "NoShow"],
    [1, "CheckedIn"],
    [2, "CheckedIn"],
    [-1, null],
  ]);
  expect(await entries()).toHaveLength(3);
});

test("the form of the rest sent again marks nobody whose mark was undone since", async () => {
  const { gameId, actorId, bookingIds, checkIn } = await aCrowd(2);
  const formKey = crypto.randomUUID();
  await checkIn(formKey);
  const undone = { gameId, actorId, bookingId: bookingIds[0]!, from: "CheckedIn" as const };
  await markAttendance(database.db, { ...undone, to: null, now: NOW });
  expect(await checkIn(formKey)).toEqual({ ok: true, players: 2 });
  const [first] = await bookingsOf(database.db, gameId);
  expect(first?.attendance).toBeNull();
});

test("nobody is checked in too early, in a cancelled or no game, or of another game", async () => {
  const { gameId, actorId, bookingIds, checkIn } = await aCrowd(1);
  const rest = { gameId, actorId, bookingIds, now: hoursLater(-1) };
  expect(await checkInRest(database.db, rest)).toEqual({ ok: false, reason: "too-early" });
  for (const id of ["x", crypto.randomUUID()]) {
    const result = await checkInRest(database.db, { ...rest, gameId: id });
    expect(result).toEqual({ ok: false, reason: "not-found" });
  }
  const other = await aCrowd(1);
  expect(await other.checkIn(crypto.randomUUID(), database.db, [...bookingIds, "x"])).toEqual({
    ...{ ok: true, players: 0 },
  });
  const cancelled = { status: "Cancelled" as const };
  await database.db.updateTable("games").set(cancelled).where("id", "=", gameId).execute();
  expect(await checkIn(crypto.randomUUID())).toEqual({ ok: false, reason: "not-on" });
});

async function twoCheckIn(db: Db) {
  const { checkIn, entries } = await aCrowd(4);
  const keys = [crypto.randomUUID(), crypto.randomUUID()];
  const results = await Promise.all(keys.map((key) => checkIn(key, db)));
  const counts = results.map((result) => (result.ok ? result.players : -1));
  const marks = (await entries()).filter(({ details }) => {
    const { before, after } = details as Record<"before" | "after", { attendance: unknown }>;
    return before.attendance !== after.attendance;
  });
  return { counts: counts.toSorted(), marks: marks.length };
}

test("of two organisers who check in the rest at once one does, and each player is recorded once", async () => {
  for (let round = 0; round < 5; round += 1) {
    expect(await twoCheckIn(database.db)).toEqual({ counts: [0, 4], marks: 4 });
  }
});

test("without the lock some are checked in twice", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let round = 0; round < 100; round += 1) {
    if ((await twoCheckIn(unlocked)).marks > 4) return;
  }
  expect.fail("the property held in 100 rounds without its guard");
});

test("a game that is moved away from its marks loses them, and can be cancelled", async () => {
  const { gameId, actorId, mark } = await aSeat(0.5);
  const { db, jobs } = database;
  await mark(null, "CheckedIn");
  const move = async (date: string, startTime: string) => {
    const { plan, version } = (await findPlannedGame(db, gameId))!;
    const to = { ...plan, date, startTime, endTime: "23:00" };
    const edit = { gameId, actorId, plan: to, version, withFollowing: false, now: NOW };
    return editGame(db, jobs, { ...edit, confirmed: true });
  };
  expect(await move("2026-11-21", "12:45")).toMatchObject({ ok: true });
  expect(await attendanceIn(gameId)).toBe("CheckedIn");
  expect(await cancelGame(db, jobs, { gameId, now: NOW })).toMatchObject({ reason: "played" });
  expect(await move("2026-11-28", "19:00")).toMatchObject({ ok: true });
  expect(await attendanceIn(gameId)).toBeNull();
  expect(await cancelGame(db, jobs, { gameId, now: NOW })).toMatchObject({ ok: true, players: 1 });
});
