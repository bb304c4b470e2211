import { beforeAll } from "vitest";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import type { Roster } from "#app/routes/admin/games/game-view.server.ts";
import type { RosterResult } from "#app/routes/admin/games/roster/roster-actions.server.ts";
import { action, loader } from "#app/routes/admin/games/show.tsx";
import type { App } from "#app/routes/context.server.ts";
import { anAdmin } from "./admin.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { ada, aGame, aPlayer, NOW } from "./fixtures.ts";
import { toastAfter, visit } from "./visit.ts";

/** An organiser at a game's page, on the day of the game. Read it inside tests. */
export function useMatchDay(now = () => NOW) {
  const database = useDatabase();
  const scenario = {} as { app: App; admin: Awaited<ReturnType<typeof anAdmin>> };
  beforeAll(async () => {
    scenario.app = testApp(database, now);
    scenario.admin = await anAdmin(scenario.app);
  });
  const at = (gameId: string) => ({
    path: `/admin/games/${gameId}`,
    cookie: scenario.admin.cookie,
  });
  const open = async (gameId: string) =>
    ((await visit(scenario.app, loader, at(gameId))).data as { roster: Roster }).roster;
  return Object.assign(scenario, {
    database,
    at,
    open,
    async post(gameId: string, body: Record<string, string>) {
      const { status, headers, data } = await visit(scenario.app, action, { ...at(gameId), body });
      const toast = status === 302 ? await toastAfter(scenario.app, headers) : null;
      return { status, toast, result: data as RosterResult | null };
    },
    /** A game about to kick off, with Ada in it and Bo unpaid. */
    async aMatch(wish: Parameters<typeof aGame>[1] = {}) {
      const { db, jobs } = scenario.app;
      const [gameId, playerId] = [await aGame(db, { startsIn: 0.5, ...wish }), await ada(db)];
      const joined = await joinGame(db, jobs, { gameId, playerId, now: NOW });
      const bo = await aPlayer(db, { name: "Bo" });
      const addition = { gameId, playerId: bo, actorId: scenario.admin.id, now: NOW };
      const added = await addPlayer(db, jobs, addition);
      if (!joined.ok || !added.ok) throw new Error("nobody is in");
      const unpaid = async () =>
        (await open(gameId)).players.find(({ playerId: id }) => id === bo)!;
      return { gameId, playerId, bookingId: joined.bookingId, bo, unpaid };
    },
  });
}
