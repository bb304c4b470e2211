import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, balanceCents, NOW, somePlayers } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { signIn, visit } from "#test/visit.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { withinRequest } from "#app/platform/postgres/database-time.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { action } from "./show.tsx";

// The races of features/bookings once more, through the session, the form and the status codes.
const database = useDatabase(30);
withoutTimeouts(database);
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

async function join(gameId: string, cookie: string): Promise<string> {
  // Every round is at the same hour.
  const body = { intent: "join", priceShown: "10" };
  const send = () => visit(app, action, { path: `/events/${gameId}`, cookie, body });
  // Who wins is asked, not how soon: without a request's own limit.
  const { status, data, headers } = await withinRequest(send, Infinity);
  const { reason } = (data ?? {}) as { reason?: string };
  return `${status} ${reason ?? headers.get("Location")?.replace(gameId, "game")}`;
}

async function tally(joins: Promise<string>[]): Promise<Record<string, number>> {
  const answers = Object.groupBy(await Promise.all(joins), (answer) => answer);
  return Object.fromEntries(Object.entries(answers).map(([key, all]) => [key, all?.length ?? 0]));
}

test("fifty sessions at once for the last spot: one is let in, five times", async () => {
  const players = await somePlayers(app.db, 50, 50);
  const cookies = await Promise.all(players.map((playerId) => signIn(app, playerId)));
  for (let round = 0; round < 5; round += 1) {
    const gameId = await aGame(app.db, { spots: 1 });
    const answers = await tally(cookies.map((cookie) => join(gameId, cookie)));
    expect(answers).toEqual({ "302 /events/game/joined": 1, "409 full": 49 });
  }
  const balances = await Promise.all(players.map((id) => balanceCents(app.db, id)));
  expect(balances.reduce((sum, cents) => sum + cents, 0)).toBe(50 * 5_000 - 5 * 1_000);
  expect((await checkBooks(app.db)).differences).toEqual([]);
});

test("twenty clicks in one session pay once", async () => {
  const [gameId, playerId] = [await aGame(app.db), await aPlayer(app.db, { credits: 100 })];
  const cookie = await signIn(app, playerId);
  const answers = await tally(Array.from({ length: 20 }, () => join(gameId, cookie)));
  expect(answers).toEqual({ "302 /events/game/joined": 1, "409 already-joined": 19 });
  expect(await balanceCents(app.db, playerId)).toBe(9_000);
});
