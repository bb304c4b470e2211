import { expect, test } from "vitest";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";
import { statementsSent } from "#test/plans.ts";
import { loadGamePage } from "./game-page.server.ts";

const database = useDatabase();

test("a game's page takes four statements, and four more for who is in", async () => {
  const app = testApp(database, () => NOW);
  const userId = await ada(app.db);
  const gameId = await aGame(app.db);
  const viewer = { userId, isAdmin: false, balanceCents: 10_000, debtCents: 0 } as Viewer;
  const count = async () => {
    const load = (db: typeof app.db) => loadGamePage({ ...app, db }, viewer, gameId);
    return (await statementsSent(database.pool, load)).length;
  };
  const before = await count();
  await joinGame(app.db, app.jobs, { gameId, playerId: userId, now: NOW });
  expect([before, await count()]).toEqual([4, 8]);
});
