import { beforeAll, beforeEach } from "vitest";
import type { App } from "#app/routes/context.server.ts";
import { PERSON, watchTokens } from "./accounts.ts";
import { testApp } from "./app.ts";
import { openBrowser } from "./cookie-jar.ts";
import { useDatabase } from "./db.ts";
import { aGame, aVenue, NOW } from "./fixtures.ts";
import { openSite } from "./whole-site.ts";

/** For tests of who is on the way to a game: it is at Tikkurila Arena, Mon 12:00, with 3 spots. */
export function useOnTheWay() {
  const database = useDatabase();
  const scenario = { database, tokens: [] as string[], email: "" } as Scenario;
  beforeAll(async () => {
    const app = testApp(database, () => NOW);
    const { jobs, tokens } = watchTokens(app.jobs);
    const venue_id = await aVenue(app.db, { name: "Tikkurila Arena" });
    const gameId = await aGame(app.db, { venue_id, spots: 3 });
    Object.assign(scenario, { app: { ...app, jobs }, tokens, gameId, game: `/events/${gameId}` });
    scenario.site = await openSite(scenario.app);
  });
  beforeEach(() => {
    scenario.email = `${crypto.randomUUID()}@uni.example`;
    scenario.tokens.length = 0;
  });
  return scenario;
}

type Scenario =
  ReturnType<typeof useDatabase> extends infer Database
    ? {
        database: Database;
        app: App;
        site: Awaited<ReturnType<typeof openSite>>;
        gameId: string;
        /** Its page. */
        game: string;
        /** The address of the person of this test, and the links that were mailed to it. */
        email: string;
        tokens: string[];
      }
    : never;

/** An address that leads on to another one. */
export const onTo = (path: string, page = "/auth") =>
  `${page}?redirectTo=${encodeURIComponent(path)}`;

/** A browser of the person. */
export function aPhone({ site, email, tokens }: Scenario) {
  const browser = openBrowser(site);
  const { phone: _, ...person } = PERSON;
  return {
    ...browser,
    read: async (path: string) => (await browser.get(path)).text(),
    signUp: (path: string, more: Record<string, string> = {}) =>
      browser.post(path, { ...person, intent: "sign-up", email, ...more }),
    signIn: (path: string, more: Record<string, string> = {}) =>
      browser.post(path, { intent: "sign-in", email, password: person.password, ...more }),
    confirm: (password = "", token = tokens.at(-1)!) =>
      browser.post(`/auth/confirm?token=${token}`, { token, password }),
  };
}
