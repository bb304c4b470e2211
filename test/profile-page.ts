import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { App } from "#app/routes/context.server.ts";
import { takeToast } from "#app/forms/toast.server.ts";
import type { ProfileAnswer } from "#app/routes/profile/answers.server.ts";
import { action, loader } from "#app/routes/profile/show.tsx";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { signIn, visit } from "./visit.ts";
import { ben, NOW } from "./fixtures.ts";

type Page = Awaited<ReturnType<typeof loader>>;

/** The own profile of a player who is a new one before each test. Read it inside tests. */
export function useProfilePage() {
  const database = useDatabase();
  const desk = {} as { app: App; id: string; cookie: string };
  beforeAll(async () => {
    const app = testApp(database, () => NOW);
    const dataDir = await mkdtemp(path.join(tmpdir(), "kickabout-profile-"));
    desk.app = { ...app, env: { ...app.env, dataDir } };
  });
  beforeEach(async () => {
    desk.id = await ben(desk.app.db);
    desk.cookie = await signIn(desk.app, desk.id);
  });
  afterAll(() => rm(desk.app.env.dataDir, { recursive: true }));
  const where = () => ({ path: "/profile", cookie: desk.cookie });
  return {
    get app() {
      return desk.app;
    },
    get id() {
      return desk.id;
    },
    async open(as = desk.app): Promise<Page> {
      return (await visit(as, loader, where())).data as Page;
    },
    async post(body: BodyInit | Record<string, string>, as = desk.app) {
      const { status, data, headers } = await visit(as, action, { ...where(), body });
      return { status, answer: data as ProfileAnswer | null, headers };
    },
    async toastOf(headers: Headers) {
      const Cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const next = new Request("http://kickabout.test/profile", { headers: { Cookie } });
      return (await takeToast(desk.app.env, next)).flash;
    },
    /** The same App, but nothing can be written, as when the database goes away in the middle. */
    broken(): App {
      return { ...desk.app, db: desk.app.db.withPlugin(readOnly) };
    },
  };
}

const readOnly: Parameters<App["db"]["withPlugin"]>[0] = {
  transformQuery({ node }) {
    if (node.kind === "SelectQueryNode") return node;
    throw new Error("gone");
  },
  transformResult: async ({ result }) => result,
};
