import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { RootOperationNode } from "kysely";
import { afterAll, beforeAll } from "vitest";
import type { App } from "#app/routes/context.server.ts";
import { testApp } from "./app.ts";
import { useDatabase, watchQueries } from "./db.ts";
import { anAdmin } from "./admin.ts";
import { toastAfter, visit, type Visit } from "./visit.ts";
import { NOW } from "./fixtures.ts";

type Page = Parameters<typeof visit>[1];
type Wish = Omit<Visit, "cookie">;

/** An app with an admin and a data folder of its own. Read it inside tests. */
export function useAdmin() {
  const database = useDatabase();
  const scenario = {} as { app: App; admin: Awaited<ReturnType<typeof anAdmin>> };
  beforeAll(async () => {
    const app = testApp(database, () => NOW);
    const dataDir = await mkdtemp(path.join(tmpdir(), "kickabout-admin-"));
    scenario.app = { ...app, env: { ...app.env, dataDir } };
    scenario.admin = await anAdmin(scenario.app);
  });
  afterAll(() => rm(scenario.app.env.dataDir, { recursive: true }));
  return {
    get app() {
      return scenario.app;
    },
    get admin() {
      return scenario.admin;
    },
    async visit<T>(page: Page, wish: Wish, app = scenario.app) {
      const visited = await visit(app, page, { ...wish, cookie: scenario.admin.cookie });
      return { ...visited, data: visited.data as T };
    },
    /** What the page that an answer leads to says, and where that is. */
    async toast({ status, headers }: { status: number; headers: Headers }) {
      const title = (await toastAfter(scenario.app, headers))?.title;
      return { status, to: headers.get("Location"), title };
    },
    /** The same App, but nothing can be read, or nothing written, as when a table is gone. */
    broken(what: "reads" | "writes"): App {
      const db = watchQueries(scenario.app.db, (query) => {
        if (isBroken[what](query)) throw new Error("gone");
      });
      return { ...scenario.app, db };
    },
  };
}

const isBroken: Record<"reads" | "writes", (query: RootOperationNode) => boolean> = {
  reads: (query) => {
    // The session is still found.
    const isGuard = JSON.stringify(query).includes('"name":"sessions"');
    return query.kind === "SelectQueryNode" && !isGuard;
  },
  writes: ({ kind }) => /^(Insert|Update|Delete)QueryNode$/.test(kind),
};
