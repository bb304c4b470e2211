import { sql } from "kysely";
import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, NOW } from "#test/fixtures.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { listRoster, markAttendance, removePlayer } from "./roster.server.ts";
import { noShowsOf } from "./no-shows.server.ts";

const database = useDatabase();

/** A game that began so many days before NOW, in which the player was marked. */
async function played(playerId: string, daysAgo: number, to: "NoShow" | "CheckedIn" = "NoShow") {
  const { db, jobs } = database;
  const gameId = await aGame(db, { startsIn: -24 * daysAgo });
  const start = new Date(NOW.getTime() - daysAgo * 86_400_000);
  const now = new Date(start.getTime() - 3_600_000);
  const joined = await joinGame(db, jobs, { gameId, playerId, now });
  if (!joined.ok) throw new Error(joined.reason);
  const seat = { gameId, bookingId: joined.bookingId, actorId: playerId };
  expect(await markAttendance(db, { ...seat, from: null, to, now: start })).toMatchObject({
    ok: true,
  });
  return seat;
}

test("no-shows of the last 90 days in other games are counted, also of players taken off the list", async () => {
  const { db, jobs } = database;
  const playerId = await ada(db);
  await played(playerId, 1);
  const removed = await played(playerId, 89);
  await removePlayer(db, jobs, { ...removed, withRefund: false, now: NOW });
  await played(playerId, 91);
  await played(playerId, 2, "CheckedIn");
  await played(await ada(db), 3);
  const here = await played(playerId, 4);
  const [row] = await listRoster(db, { gameId: here.gameId, now: NOW });
  expect(row).toMatchObject({ playerId, noShows: 2, isSuspended: false });
  const { rows } = await sql<{ count: number }>`
    select ${noShowsOf({ playerId: sql`${playerId}::uuid`, now: NOW })} as count`.execute(db);
  expect(rows).toEqual([{ count: 3 }]);
});

test("a suspended player is named on the roster of a game to come", async () => {
  const { db, jobs } = database;
  const [gameId, playerId] = [await aGame(db), await ada(db)];
  await joinGame(db, jobs, { gameId, playerId, now: NOW });
  await joinGame(db, jobs, { gameId, playerId: await ada(db), now: NOW });
  const suspended = { suspended_at: NOW, suspended_reason: "Fights" };
  await db.updateTable("users").set(suspended).where("id", "=", playerId).execute();
  await ben(db);
  const roster = await listRoster(db, { gameId, now: NOW });
  expect(new Map(roster.map((row) => [row.playerId, row.isSuspended])).get(playerId)).toBe(true);
  expect(roster.filter(({ isSuspended }) => isSuspended)).toHaveLength(1);
});
