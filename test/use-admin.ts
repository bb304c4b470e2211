import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { App } from "#app/routes/context.server.ts";
import { takeToast } from "#app/forms/toast.server.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { anAdmin } from "./admin.ts";
import { visit, type Visit } from "./visit.ts";
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
      const Cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const next = new Request("http://kickabout.test/admin", { headers: { Cookie } });
      const { toast } = await takeToast(scenario.app.env, next);
      return { status, to: headers.get("Location"), title: toast?.title };
    },
    /** The same App, but nothing can be read, or nothing written, as when a table is gone. */
    broken(what: "reads" | "writes"): App {
      return {
        ...scenario.app,
        db: scenario.app.db.withPlugin(what === "reads" ? noReads : noWrites),
      };
    },
  };
}

type Plugin = Parameters<App["db"]["withPlugin"]>[0];

const noReads = failingOn((node) => {
  // Who asks is still known.
  const isGuard = JSON.stringify(node).includes('"name":"sessions"');
  return node.kind === "SelectQueryNode" && !isGuard;
});
const noWrites = failingOn(({ kind }) => /^(Insert|Update|Delete)QueryNode$/.test(kind));

function failingOn(isBroken: (node: { kind: string }) => boolean): Plugin {
  return {
    transformQuery({ node }) {
      if (isBroken(node)) throw new Error("gone");
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
