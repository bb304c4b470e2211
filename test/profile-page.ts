import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { App } from "#app/routes/context.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { action, loader } from "#app/routes/profile/show.tsx";
import { testApp } from "./app.ts";
import { useDatabase, watchQueries } from "./db.ts";
import { type DataOf, signIn, toastAfter, visit } from "./visit.ts";
import { ben, NOW } from "./fixtures.ts";

/** The own profile of a player, another one for each test. */
export function useProfilePage() {
  const database = useDatabase();
  const scenario = {} as { app: App; id: string; cookie: string };
  beforeAll(async () => {
    const app = testApp(database, () => NOW);
    const dataDir = await mkdtemp(path.join(tmpdir(), "kickabout-profile-"));
    scenario.app = { ...app, env: { ...app.env, dataDir } };
  });
  beforeEach(async () => {
    scenario.id = await ben(scenario.app.db);
    scenario.cookie = await signIn(scenario.app, scenario.id);
  });
  afterAll(() => rm(scenario.app.env.dataDir, { recursive: true }));
  const where = () => ({ path: "/profile", cookie: scenario.cookie });
  return {
    get app() {
      return scenario.app;
    },
    get id() {
      return scenario.id;
    },
    async open(as = scenario.app): Promise<DataOf<typeof loader>> {
      return (await visit(as, loader, where())).data;
    },
    async post(body: BodyInit | Record<string, string>, as = scenario.app) {
      const { status, data, headers } = await visit(as, action, { ...where(), body });
      return { status, result: data as FormResult | null, headers };
    },
    toastOf: (headers: Headers) => toastAfter(scenario.app, headers),
    /** The same app where nothing can be written, as when the database goes away in the middle. */
    broken(): App {
      const db = watchQueries(scenario.app.db, ({ kind }) => {
        if (kind !== "SelectQueryNode") throw new Error("gone");
      });
      return { ...scenario.app, db };
    },
  };
}
