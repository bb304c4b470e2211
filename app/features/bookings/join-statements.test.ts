import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { roundTrips, statementsSent } from "#test/plans.ts";
import { joinGame } from "./join-game.server.ts";

const database = useDatabase();

/** Includes begin and commit. */
async function countStatements(playerId: string, asksOfOtherGame = false): Promise<number> {
  const gameId = await aGame(database.db);
  const join = { gameId, playerId, shown: { price: "10" }, asksOfOtherGame, now: NOW };
  const sent = await statementsSent(
    database.pool,
    async (db) => expect(await joinGame(db, database.jobs, join)).toMatchObject({ ok: true }),
    // The tests' own look at the locks of an email is no part of it.
    /^\s*(?!\s|select from pg_locks)/,
  );
  return sent.length;
}

test("a paid join is eight statements, and four more for a player's first", async () => {
  const playerId = await aPlayer(database.db, { credits: 100 });
  expect([await countStatements(playerId), await countStatements(playerId)]).toEqual([12, 8]);
});

test("another game at that hour is no statement more: it is read after the wallet's lock, with the rest", async () => {
  const playerId = await aPlayer(database.db, { credits: 100 });
  await countStatements(playerId);
  await database.pool.query("update bookings set payment_status = 'Refunded'");
  expect(await countStatements(playerId, true)).toBe(8);
});

test("a paid join waits twice for the database: others wait for the game during one commit", async () => {
  const playerId = await aPlayer(database.db, { credits: 100 });
  await countStatements(playerId);
  const join = { gameId: await aGame(database.db), playerId, now: NOW };
  // Begin, the locks of game and wallet, the facts; the seat, its price and email, commit.
  expect(await roundTrips(database.pool, (db) => joinGame(db, database.jobs, join))).toBe(2);
});
