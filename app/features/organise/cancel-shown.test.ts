import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aVenue, ben, bookingsOf, NOW } from "#test/fixtures.ts";
import { untilBlocked } from "#test/lock-order.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { cancelGames } from "./bulk-cancellations.server.ts";
import { cancelKey, listToCancel } from "./cancel-games.server.ts";

const database = useDatabase();
withoutTimeouts(database);

test("who joins while a game is being cancelled is not cancelled unseen", async () => {
  const { db, jobs } = database;
  const [gameId, actor, user_id] = [await aGame(db), await ben(db), await ada(db)];
  const [game] = await listToCancel(db, { gameId, withFollowing: false }, NOW);
  const shown = new Map([[gameId, cancelKey(game!)]]);
  const form = { shown, actor, message: null, formKey: undefined, now: NOW };
  const cancelling = await db.transaction().execute(async (tx) => {
    await tx.selectFrom("games").select("id").where("id", "=", gameId).forUpdate().execute();
    // It has compared what was shown, and waits for the game.
    const operation = cancelGames(db, jobs, form);
    await untilBlocked(tx, db, operation);
    const seat = { user_id, game_id: gameId, payment_status: "Paid" as const };
    await tx.insertInto("bookings").values(seat).execute();
    return { operation };
  });
  expect(await cancelling.operation).toMatchObject({ games: 0, changed: 1 });
  expect(await bookingsOf(db, gameId)).toMatchObject([{ payment_status: "Paid" }]);
});

test.each([
  ["its hour", { start_time: "08:00", end_time: "09:00" }],
  ["its status", { status: "Draft" as const }],
])("a game is asked about again where it has changed: %s", async (_, change) => {
  const { db, jobs } = database;
  const [venue_id, actor] = [await aVenue(db), await ben(db)];
  const gameId = await aGame(db, { venue_id, startsIn: 48 });
  const [game] = await listToCancel(db, { gameId, withFollowing: false }, NOW);
  const shown = new Map([[gameId, cancelKey(game!)]]);
  await db.updateTable("games").set(change).where("id", "=", gameId).execute();
  const form = { shown, actor, message: null, formKey: undefined, now: NOW };
  expect(await cancelGames(db, jobs, form)).toMatchObject({ games: 0, changed: 1 });
});
