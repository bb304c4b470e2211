import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";
import { openDatabase, REQUEST_LIMITS } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { withinScope } from "#app/platform/observability/request-scope.server.ts";
import { NextTickets } from "#app/routes/bookings/tickets.tsx";
import { ErrorBoundary as RootBoundary } from "#app/root.tsx";
import { headingsOf, linksOf, renderPage, buttonsOf, textOf } from "#test/screen.tsx";
import { ErrorBoundary } from "#app/routes/layouts/admin.tsx";
import { ErrorScreen } from "./error-screens.tsx";
import { OUTCOME_UNKNOWN, OUTCOME_UNKNOWN_UNSAFE } from "#app/forms/messages.ts";

vi.mock("#app/routes/bookings/tickets.tsx", { spy: true });

const database = useDatabase();
let ask: AskSite;
let cookie: string;
beforeAll(async () => {
  const app = testApp(database, () => NOW);
  cookie = await signIn(app, await ada(app.db));
  ask = await openSite(app);
});

beforeAll(() => {
  vi.spyOn(log, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.mocked(NextTickets).mockRestore();
});

const NAVIGATION = 'aria-label="Main"';

async function htmlOf(response: Response): Promise<string> {
  return (await response.text()).replace(/<script[\s\S]*?<\/script>/g, "");
}

test("the navigation stays where a loader fails, and both buttons work without a script", async () => {
  await sql`alter table games rename to games_away`.execute(database.db);
  const response = await ask("/events?outdoor=1&city=Espoo", { cookie });
  await sql`alter table games_away rename to games`.execute(database.db);
  expect(response.status).toBe(500);
  const html = await htmlOf(response);
  expect(html).toContain(NAVIGATION);
  expect(html).toContain("Something went wrong");
  expect(html).toMatch(
    /<form[^>]* action="\/events".*name="outdoor" value="1".*name="city" value="Espoo"/,
  );
  expect(html.match(/<button type="submit"[^>]*>(Try Again|Refresh Page)</g)).toHaveLength(2);
});

test("the navigation stays where a page cannot be rendered", async () => {
  vi.mocked(NextTickets).mockImplementation(() => {
    throw new Error("a secret detail");
  });
  const response = await ask("/bookings", { cookie });
  expect(response.status).toBe(500);
  const whole = await response.text();
  expect(whole).toContain(NAVIGATION);
  expect(whole).toContain("Something went wrong");
  expect(whole).not.toMatch(/secret detail|at [\w/.]+:\d+/);
});

test("the details have the id of the request, also without a script", async () => {
  await sql`alter table games rename to games_away`.execute(database.db);
  const request = { id: "lb-17", route: "" };
  const response = await withinScope(request, () => ask("/events", { cookie }));
  await sql`alter table games_away rename to games`.execute(database.db);
  expect(await htmlOf(response)).toContain("Error reference: lb-17</p>");
  expect(response.headers.get("Server-Timing")).toBe('request;desc="lb-17"');
  expect(request.route).toBe("/events");
});

test("the details say which status it was", async () => {
  const response = await ask("/terms", { body: new URLSearchParams({ intent: "x" }) });
  expect(response.status).toBe(405);
  const html = await htmlOf(response);
  expect(html).toContain(NAVIGATION.replace("Main", "Notifications"));
  expect(html).toContain("405 Method Not Allowed");
});

describe("without the database", () => {
  // Nothing listens there.
  const away = openDatabase({ host: "127.0.0.1", port: 1, user: "nobody", database: "none" });
  const openAway = () => openSite({ ...testApp(database, () => NOW), db: away.db });
  afterAll(() => away.close());

  test("a page answers 503, outside the layout", async () => {
    const site = await openAway();
    for (const path of ["/events", "/bookings", "/settings"]) {
      const response = await site(path, { cookie });
      expect(response.status, path).toBe(503);
      expect(response.headers.get("Retry-After")).toBe("10");
      const whole = await response.text();
      expect(whole).toContain("Something went wrong");
      expect(whole).not.toContain(NAVIGATION);
      expect(whole).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|nobody/);
    }
  });

  test.each(["/events.data", "/events/new-game.data", "/wallet/statement.csv", "/sitemap.xml"])(
    "%s answers 503 as well",
    async (path) => {
      const response = await (await openAway())(path, { cookie });
      expect(response.status).toBe(503);
      expect(response.headers.get("Retry-After")).toBe("10");
    },
  );

  test("a form answers 503 and stays as it was typed", async () => {
    const site = await openAway();
    const email = "ada@uni.example";
    const forms = {
      "/auth": { intent: "sign-in", email, password: "Kickabout1" },
      "/auth/forgot": { email },
    };
    for (const [path, fields] of Object.entries(forms)) {
      const response = await site(path, { body: new URLSearchParams({ ...fields }) });
      expect(response.status, path).toBe(503);
      expect(response.headers.get("Retry-After")).toBe("10");
      expect(await response.text()).toContain(`value="${email}"`);
    }
  });

  test("too busy is as good as away: a form that a lock keeps waiting says 503", async () => {
    const limits = { ...REQUEST_LIMITS, lockMs: 50 };
    const busy = openDatabase(database.connection, 4, limits);
    const site = await openSite({ ...testApp(database, () => NOW), db: busy.db });
    const gameId = await aGame(database.db);
    await database.db.transaction().execute(async (tx) => {
      await tx.selectFrom("games").select("id").where("id", "=", gameId).forUpdate().execute();
      const body = new URLSearchParams({ intent: "join" });
      const response = await site(`/events/${gameId}`, { cookie, body });
      expect(response.status).toBe(503);
      expect(response.headers.get("Retry-After")).toBe("10");
      expect(await response.text()).toContain("Failed to join game. Please try again.");
    });
    expect((await site(`/events/${gameId}`, { cookie })).status).toBe(200);
    await busy.close();
  });
});

// spec: 2.111, 6.11
test.each([
  ["in the site's frame", ErrorBoundary],
  ["as a whole page", RootBoundary],
])("a player at an admin page reads 'Access Denied' and finds the way back: %s", (_, boundary) => {
  const error = { status: 403, statusText: "", internal: false, data: "Access Denied" };
  const html = renderPage(boundary, { error });
  expect(headingsOf(html, 1)).toEqual(["Access Denied"]);
  expect(linksOf(html)).toEqual(["Back to Games → /events"]);
  expect(html.includes("<main")).toBe(boundary === RootBoundary);
});

const render = (error: unknown) => renderPage(ErrorScreen, { error });
const busy = { status: 503, statusText: "Busy", internal: false, data: "SELECT secret" };

// spec: 2.16, 8.43
test("it says that something went wrong, and offers to try again or to refresh", () => {
  const html = render(new Error("boom"));
  expect(headingsOf(html, 1)).toEqual(["Something went wrong"]);
  expect(textOf(html)).toContain(
    "|We're sorry, but something unexpected happened. Please try refreshing the page.|",
  );
  expect(buttonsOf(html)).toEqual(["Try Again", "Refresh Page"]);
});

// spec: 2.17
test("its details are closed until they are wanted, and hold what the server chose to say", () => {
  const html = render(busy);
  expect(html).toMatch(/<details(?![^>]* open)[^>]*><summary/);
  expect(textOf(html)).toContain("503 Busy");
  expect(html).not.toContain("SELECT");
});

test.each([
  [busy.data, OUTCOME_UNKNOWN],
  [OUTCOME_UNKNOWN, OUTCOME_UNKNOWN],
  [OUTCOME_UNKNOWN_UNSAFE, OUTCOME_UNKNOWN_UNSAFE],
])("where the outcome of a form is unknown it claims no failure %#", (data, words) => {
  const { title, description } = words;
  const html = render({ ...busy, statusText: title, data });
  expect(headingsOf(html, 1)).toEqual(["We could not check whether that worked"]);
  expect(textOf(html)).toContain(`|${description}|`);
  expect(textOf(html)).not.toContain("Something went wrong");
  expect(buttonsOf(html)).toEqual(["Try Again", "Refresh Page"]);
});
