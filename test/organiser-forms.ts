import { beforeAll } from "vitest";
import type { App } from "#app/routes/context.server.ts";
import { anAdmin } from "./admin.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { aGame, aVenue, NOW } from "./fixtures.ts";
import { withoutTimeouts } from "./no-timeouts.ts";
import { textOf, withoutScripts } from "./screen.tsx";
import { openSite } from "./whole-site.ts";

type Wish = Parameters<typeof aGame>[1];

/** An organiser's forms, kept open while somebody else changes their games. Read it inside tests. */
export function useOrganiserForms(now = () => NOW) {
  const database = useDatabase();
  withoutTimeouts(database);
  const scenario = {} as { app: App; cookie: string };
  beforeAll(async () => {
    scenario.app = testApp(database, now);
    scenario.cookie = (await anAdmin(scenario.app)).cookie;
  });
  const db = () => scenario.app.db;
  return Object.assign(scenario, {
    database,
    async formOf(path: string, intent: string): Promise<Record<string, string>> {
      const { app, cookie } = scenario;
      const html = await (await (await openSite(app))(path, { cookie })).text();
      const forms = html.split("<form").map((part) => part.split("</form>")[0]!);
      const form = forms.find((part) => part.includes(`name="intent" value="${intent}"`))!;
      const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
      const fields = [...inputs].map(([, name, value]) => [name, value!.replaceAll("&amp;", "&")]);
      return Object.fromEntries(fields);
    },
    async send(path: string, fields: Record<string, string> | [string, string][]) {
      const { app, cookie } = scenario;
      const body = new URLSearchParams(fields);
      const response = await (await openSite(app))(path, { cookie, body });
      return { status: response.status, text: textOf(withoutScripts(await response.text())) };
    },
    change(id: string, columns: Wish) {
      const { startsIn: _, ...set } = columns ?? {};
      return db().updateTable("games").set(set).where("id", "=", id).execute();
    },
    async statusesOf(ids: string[]) {
      const games = db().selectFrom("games").select(["id", "status"]).where("id", "in", ids);
      const found = await games.execute();
      return ids.map((id) => found.find((game) => game.id === id)?.status);
    },
    async aSeries(wish: Wish = {}) {
      const [series_id, venue_id] = [crypto.randomUUID(), await aVenue(db())];
      const ids = await Promise.all(
        [48, 72].map((startsIn) => aGame(db(), { startsIn, series_id, venue_id, ...wish })),
      );
      return { ids, first: ids[0]!, second: ids[1]!, venue_id };
    },
    elsewhere: async () => ({ venue_id: await aVenue(db(), { name: "Harbour Hall" }) }),
  });
}
