import { beforeAll } from "vitest";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { signIn, toastAfter, visit } from "./visit.ts";
import { NOW } from "./fixtures.ts";
import { addAccount } from "./accounts.ts";
import type { App } from "#app/routes/context.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";

type Route = Parameters<typeof visit>[1];

/** For tests of the settings: an app, and players who know their password. Read it inside tests. */
export function useSettings() {
  const database = useDatabase();
  const scenario = {} as { app: App };
  beforeAll(() => {
    scenario.app = testApp(database, () => NOW);
  });
  return {
    database,
    get app() {
      return scenario.app;
    },
    async player() {
      const account = await addAccount(scenario.app);
      return { ...account, cookie: await signIn(scenario.app, account.userId) };
    },
    async open(loader: Route, path: string, cookie = "") {
      return visit(scenario.app, loader, { path: `/settings${path}`, cookie });
    },
    async post(action: Route, path: string, cookie: string, body: Record<string, string>) {
      const wish = { path: `/settings${path}`, cookie, body };
      const { status, data, headers } = await visit(scenario.app, action, wish);
      return { status, result: data as FormResult | null, headers, to: headers.get("Location") };
    },
    /** What the next page says. */
    toast: (headers: Headers) => toastAfter(scenario.app, headers),
  };
}
