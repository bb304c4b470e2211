import { expect, test } from "vitest";
import { withoutLocks } from "#test/disable-locks.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import {
  countNoShowsOf,
  excuseNoShow,
  listCountedNoShows,
  listNoShows,
  unexcuseNoShow,
} from "./no-shows.server.ts";
import { markAttendance, removePlayer } from "./roster.server.ts";

const database = useDatabase(10);
withoutTimeouts(database);
const DAY = 24;
const NOTE = "Called us by phone";

/** A booking of a game that began so many hours ago. */
async function aMark(
  playerId: string,
  { hoursAgo = DAY, status = "Paid", end = null as string | null, attendance = "NoShow" } = {},
) {
  const gameId = await aGame(database.db, { startsIn: -hoursAgo });
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into bookings (user_id, game_id, payment_status, end_reason, attendance)
     values ($1, $2, $3, $4, $5) returning id`,
    [playerId, gameId, status, end, attendance],
  );
  return { gameId, bookingId: rows[0]!.id };
}
const count = async (playerId: string, now = NOW) =>
  (await countNoShowsOf(database.db, { playerIds: [playerId], now })).get(playerId) ?? 0;
const entriesOn = (subject: string) =>
  database.db
    .selectFrom("audit_log")
    .select(["actor", "action", "details"])
    .where("subject", "=", subject)
    .orderBy("id")
    .execute();

test("no-shows of the last 90 days count, also of players who were taken off the list", async () => {
  const { db } = database;
  const playerId = await aPlayer(db);
  const recent = await aMark(playerId);
  const oldest = await aMark(playerId, { hoursAgo: 90 * DAY - 1 });
  await aMark(playerId, { hoursAgo: 90 * DAY + 1 });
  await aMark(playerId, { status: "Cancelled", end: "Removed" });
  await aMark(playerId, { status: "Cancelled", end: "Left" });
  await aMark(playerId, { attendance: "CheckedIn" });
  await aMark(playerId, { hoursAgo: -3 });
  const cancelled = await aMark(playerId);
  const games = db.updateTable("games").set({ status: "Cancelled" });
  await games.where("id", "=", cancelled.gameId).execute();
  // Taken off, added again, and not there either: still one game.
  await database.pool.query(
    `insert into bookings (user_id, game_id, payment_status, end_reason, attendance)
     values ($1, $2, 'Refunded', 'Removed', 'NoShow')`,
    [playerId, recent.gameId],
  );
  expect(await count(playerId)).toBe(3);
  const kickOffs = await listCountedNoShows(db, { playerId, now: NOW });
  expect(kickOffs[0]).toEqual(hoursLater(1 - 90 * DAY));
  expect(await count(playerId, hoursLater(1))).toBe(2);
  const listed = await listNoShows(db, { playerId, now: NOW });
  expect(listed.at(-1)).toMatchObject({ ...oldest, excusedAt: null, title: "Indoor futsal" });
});

test("an excused one does not count until it is counted again, and both are recorded", async () => {
  const { db } = database;
  const [playerId, actorId] = [await aPlayer(db), await aPlayer(db, { name: "Olli" })];
  const { bookingId, gameId } = await aMark(playerId);
  const change = { bookingId, playerId, actorId };
  expect(await excuseNoShow(db, { ...change, note: NOTE, now: NOW })).toEqual({ ok: true });
  expect(await excuseNoShow(db, { ...change, note: NOTE, now: NOW })).toEqual({ ok: true });
  expect(await count(playerId)).toBe(0);
  const [listed] = await listNoShows(db, { playerId, now: NOW });
  expect(listed).toMatchObject({ excusedAt: NOW, excuse: NOTE });
  expect(listed?.excusedBy).toMatch(/^Olli /);
  expect(await unexcuseNoShow(db, change)).toEqual({ ok: true });
  expect(await unexcuseNoShow(db, change)).toEqual({ ok: true });
  expect(await count(playerId)).toBe(1);
  const facts = { gameId, playerId };
  expect(await entriesOn(bookingId)).toEqual([
    {
      ...{ actor: actorId, action: "booking.excuse" },
      details: { ...facts, before: { isExcused: false }, after: { isExcused: true } },
    },
    {
      ...{ actor: actorId, action: "booking.unexcuse" },
      details: { ...facts, before: { isExcused: true }, after: { isExcused: false } },
    },
  ]);
});

test("only a no-show of that player can be excused", async () => {
  const { db } = database;
  const [playerId, actorId] = [await aPlayer(db), await aPlayer(db)];
  const { bookingId } = await aMark(playerId, { attendance: "CheckedIn" });
  const change = { bookingId, playerId, actorId, note: NOTE, now: NOW };
  expect(await excuseNoShow(db, change)).toEqual({ ok: false, reason: "no-no-show" });
  expect(await unexcuseNoShow(db, change)).toEqual({ ok: false, reason: "no-no-show" });
  for (const other of [{ playerId: actorId }, { bookingId: "x" }, { bookingId: playerId }]) {
    const result = await excuseNoShow(db, { ...change, ...other });
    expect(result).toEqual({ ok: false, reason: "not-found" });
  }
});

test("an excuse is kept when its mark comes back, and not when the player came", async () => {
  const { db } = database;
  const [playerId, actorId] = [await aPlayer(db), await aPlayer(db)];
  const seat = { ...(await aMark(playerId)), actorId, playerId, now: NOW };
  await excuseNoShow(db, { ...seat, note: NOTE });
  const marks = ["NoShow", null, "NoShow", null, "CheckedIn", null, "NoShow"] as const;
  const excuses: unknown[] = [];
  for (const [n, to] of marks.slice(1).entries()) {
    expect(await markAttendance(db, { ...seat, from: marks[n]!, to })).toMatchObject({ ok: true });
    const [listed] = await listNoShows(db, { playerId, now: NOW });
    excuses.push(listed && listed.excuse);
  }
  expect(excuses).toEqual([undefined, NOTE, undefined, undefined, undefined, null]);
  expect(await count(playerId)).toBe(1);
});

test("a removal keeps the mark, which can be excused", async () => {
  const { db, jobs } = database;
  const [playerId, actorId] = [await aPlayer(db), await aPlayer(db)];
  const seat = { ...(await aMark(playerId)), actorId, playerId, now: NOW };
  await removePlayer(db, jobs, { ...seat, withRefund: false });
  expect(await count(playerId)).toBe(1);
  await excuseNoShow(db, { ...seat, note: NOTE });
  expect(await count(playerId)).toBe(0);
});

test("of a deleted account none is excused: its note would stay", async () => {
  const { db } = database;
  const [playerId, actorId] = [await aPlayer(db), await aPlayer(db)];
  const { bookingId } = await aMark(playerId);
  const profiles = db.updateTable("profiles").set({ deleted_at: NOW });
  await profiles.where("user_id", "=", playerId).execute();
  const change = { bookingId, playerId, actorId, note: NOTE, now: NOW };
  expect(await excuseNoShow(db, change)).toEqual({ ok: false, reason: "not-found" });
});

/** Two organisers excuse one no-show at once, each with a note of their own. */
async function duel(excuser: Db) {
  const { db } = database;
  const [playerId, ...actors] = await Promise.all([aPlayer(db), aPlayer(db), aPlayer(db)]);
  const { bookingId } = await aMark(playerId);
  const results = await Promise.all(
    actors.map((actorId) =>
      excuseNoShow(excuser, { bookingId, playerId, actorId, note: `Says ${actorId}`, now: NOW }),
    ),
  );
  const entries = await entriesOn(bookingId);
  const [listed] = await listNoShows(db, { playerId, now: NOW });
  const winner = actors[results.findIndex(({ ok }) => ok)];
  return { results, entries, isOfWinner: listed?.excuse === `Says ${winner}` };
}

test("of two organisers who excuse it at once the second reads that it is excused", async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    const { results, entries, isOfWinner } = await duel(database.db);
    expect(results).toContainEqual({ ok: true });
    expect(results).toContainEqual({ ok: false, reason: "excused" });
    expect(entries).toHaveLength(1);
    expect(isOfWinner).toBe(true);
  }
});

test("without the lock both have excused it, and one note is lost", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let turn = 0; turn < 200; turn += 1) {
    const { entries } = await duel(unlocked);
    if (entries.length === 2) return;
  }
  expect.fail("the property held in 200 rounds without its guard");
});
