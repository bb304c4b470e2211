import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { matrixScenario, type MatrixScenario, type Things } from "#test/matrix-scenario.ts";
import { visit, type Visited } from "#test/visit.ts";
import { allAddresses, openSite } from "#test/whole-site.ts";
import { NOW } from "#test/fixtures.ts";
import routes from "#app/routes.ts";
import type { App } from "#app/routes/context.server.ts";

// What each loader and action answers a visitor, a player with what is theirs, a player with what is
// another's, and an admin; one cell alone is for all. "self", "home", "auth" are redirects by 302 to
// the same address, to / and to /auth and back, "portal" by 303. "-" is no loader, or no action.
const TABLE = `
address, or the layout's file           | GET                  | POST
/                                       | 200 302/events 302/events 302/events | -
/home                                   | 302/events           | -
/auth                                   | 200 302/events 302/events 302/events | 400
/auth/confirm                           | 400                  | 410
/auth/code                              | 302/auth 302/events 302/events 302/events | 302/auth 302/events 302/events 302/events
/auth/forgot                            | 200                  | 422
/auth/reset                             | 410                  | 422
/sign-out                               | home                 | home
layouts/protected                       | home 200 200 200     | -
/events                                 | home 200 200 200     | -
/wallet                                 | home 200 200 200     | home portal portal 404
/wallet/paid                            | home 200 200 200     | -
/wallet/receipts/:paymentId             | home 200 404 404     | -
/profile                                | home 200 200 200     | home 400 400 400
/settings                               | home 200 200 200     | -
/settings/change-password               | home 200 200 200     | home 422 422 422
/settings/two-factor                    | home 404 404 200     | home 404 404 400
/settings/sessions                      | home 200 200 200     | home 400 400 400
/settings/blocked                       | home 200 200 200     | home 400 400 400
/settings/calendar                      | home 200 200 200     | home 400 400 400
/settings/notifications                 | home 200 200 200     | home 400 400 400
/settings/contact-support               | home 200 200 200     | home 422 422 422
/settings/leave-review                  | home 200 200 200     | home 422 422 422
/settings/onboarding                    | home 200 200 200     | -
/settings/withdraw                      | home 200 200 200     | home self 409 409
/settings/delete-account                | home 200 200 200     | home 422 422 422
/profile/player-card                    | home 200 200 200     | home 400 400 400
/profile/:userId                        | home 302/profile 200 200 | -
/wallet/paid/state                      | 401 200 200 200      | -
/wallet/statement.xlsx                  | home 200 200 200     | -
/wallet/statement.csv                   | home 200 200 200     | -
/settings/my-data.zip                   | home 200 200 200     | -
layouts/semi-public                     | 200                  | -
/events/:gameId                         | 200                  | auth 400 400 400
/events/:gameId/joined                  | 302/events/:id 200 200 302/events/:id | auth 400 400 400
/events/:gameId/chat                    | auth 200 200 200     | auth 400 400 400
/card/:token                            | 200                  | -
/venues                                 | 200                  | -
/venues/:venueId                        | 200                  | -
/bookings                               | 200                  | auth self 404 404
/checkout                               | -                    | auth 422 422 422
/terms                                  | 200                  | -
/privacy                                | 200                  | -
/accessibility                          | -                    | -
layouts/admin-plain                     | -                    | -
layouts/admin                           | auth 403 403 200     | -
/admin                                  | auth 403 403 200     | -
/admin/partners                         | auth 403 403 200     | auth 403 403 400
/admin/partners/new                     | auth 403 403 200     | auth 403 403 400
/admin/partners/:partnerId              | auth 403 403 200     | auth 403 403 400
/admin/games                            | auth 403 403 200     | -
/admin/games/new                        | auth 403 403 200     | auth 403 403 400
/admin/games/:gameId                    | auth 403 403 200     | auth 403 403 400
/admin/games/:gameId/edit               | auth 403 403 200     | auth 403 403 422
/admin/games/:gameId/teams              | auth 403 403 200     | auth 403 403 400
/admin/games/:gameId/cancel             | auth 403 403 200     | auth 403 403 409
/admin/games/:gameId/delete             | auth 403 403 200     | auth 403 403 409
/admin/games/cancellations/:cancellationId | auth 403 403 200  | -
/admin/legal                            | auth 403 403 200     | -
/admin/legal/:pageType                  | auth 403 403 200     | auth 403 403 400
/admin/legal/:pageType/versions/:version | auth 403 403 404     | -
/admin/venues                           | auth 403 403 200     | -
/admin/venues/new                       | auth 403 403 200     | auth 403 403 422
/admin/venues/:venueId                  | auth 403 403 200     | auth 403 403 400
/admin/venues/:venueId/cancel-games     | auth 403 403 200     | auth 403 403 409
/admin/venues/:venueId/photos           | auth 403 403 200     | auth 403 403 400
/admin/players                          | auth 403 403 200     | -
/admin/players/announcements            | auth 403 403 200     | -
/admin/players/announcements/new        | auth 403 403 200     | auth 403 403 400
/admin/players/announcements/:announcementId | auth 403 403 200 | auth 403 403 400
/admin/players/:playerId                | auth 403 403 200     | auth 403 403 400
/admin/packs                            | auth 403 403 200     | -
/admin/packs/new                        | auth 403 403 200     | auth 403 403 422
/admin/packs/:packId                    | auth 403 403 200     | auth 403 403 400
/admin/payments                         | auth 403 403 200     | auth 403 403 400
/admin/inbox                            | auth 403 403 200     | -
/admin/inbox/mail                       | auth 403 403 200     | auth 403 403 400
/admin/inbox/:ticketId                  | auth 403 403 200     | auth 403 403 400
/admin/log                              | auth 403 403 200     | -
/admin/*                                | auth 403 403 404     | -
/admin/overview/:metric.xlsx            | auth 403 403 200     | -
/admin/overview/:metric.csv             | auth 403 403 200     | -
/admin/log.xlsx                         | auth 403 403 200     | -
/admin/log.csv                          | auth 403 403 200     | -
/admin/games/:gameId/tap                | -                    | auth 403 403 400
/admin/games/:gameId/print              | auth 403 403 200     | -
/admin/games/:gameId/players.xlsx       | auth 403 403 200     | -
/admin/games/:gameId/players.csv        | auth 403 403 200     | -
/games/:gameId                          | 301/events/:id       | -
/events/:gameId/social.png              | 200                  | -
/events/:gameId.ics                     | 200                  | -
/calendar/:feedToken.ics                | 200                  | -
/card/:token.png                        | 200                  | -
/card/:token/social.png                 | 200                  | -
/unsubscribe/:token                     | 404                  | 404
/files/*                                | 404                  | -
/vitals                                 | 405                  | 400
/webhooks/stripe                        | 405                  | 400
/webhooks/mail                          | 405                  | 404
/demo/outbox                            | 200                  | -
/demo/checkout/portal                   | auth 200 200 200     | auth portal 404 404
/demo/checkout/:packKey                 | 200                  | 400
/offline                                | 200                  | -
/robots.txt                             | 200                  | -
/sitemap.xml                            | 200                  | -
/manifest.webmanifest                   | 200                  | -
/.well-known/security.txt               | 200                  | -
/.well-known/change-password            | 302/settings/change-password | -
/*                                      | 404                  | 404
`;

const OTHERS: Record<string, (cells: Cells, name: string) => string> = {
  demoted: (cells, name) => {
    if (/^\/admin|^layouts\/admin/.test(name)) return "403";
    if (name === "/events/:gameId/chat") return "403";
    return name === "/settings/two-factor" ? cells.player : cells.admin;
  },
  suspended: ({ visitor }) => visitor,
};

// Where an object is named in a form or behind the address; elsewhere the form is empty.
const FORMS: Record<string, (things: Things) => Things> = {
  "/bookings": ({ bookingId }) => ({ intent: "cancel", bookingId: bookingId! }),
  "/settings/withdraw": ({ paymentId }) => ({ intent: "confirm", paymentId: paymentId! }),
  "/wallet": ({ subscriptionId }) => ({
    intent: "manage-subscription",
    subscriptionId: subscriptionId!,
  }),
  "/demo/checkout/portal": ({ sessionId }) => ({ intent: "refund", id: sessionId!, seen: "paid" }),
};
const QUERIES: Record<string, (things: Things) => string> = {
  "/wallet/paid": ({ sessionId }) => `?session_id=${sessionId}`,
  "/wallet/paid/state": ({ sessionId }) => `?session_id=${sessionId}`,
};

type Cells = Record<"visitor" | "player" | "another's" | "admin", string>;

const [, ...lines] = TABLE.trim().split("\n");
const rows = new Map(
  lines.map((line) => {
    const [name = "", get = "", post = ""] = line.split("|").map((part) => part.trim());
    return [name, { loader: cellsOf(get), action: cellsOf(post) }];
  }),
);

function cellsOf(text: string): Cells | null {
  if (text === "-") return null;
  const [visitor = "", player = visitor, another = visitor, admin = visitor] = text.split(" ");
  return { visitor, player, "another's": another, admin };
}

interface Entry {
  path?: string | undefined;
  file: string;
  children?: Entry[] | undefined;
}
interface Place {
  name: string;
  path: string;
  file: string;
}

/** Every route; layouts too, which have no address of their own but may have a loader. */
function placesOf(entries: Entry[], above = ""): Place[] {
  return entries.flatMap(({ path: own, file, children }) => {
    const path = own ? `${above}/${own}` : above;
    const name = children && !own ? file.replace(/^routes\/|\.tsx$/g, "") : path || "/";
    return [{ name, path: path || "/", file }, ...(children ? placesOf(children, path) : [])];
  });
}
const places = placesOf(routes as Entry[]);

const database = useDatabase();
let app: App;
let scenario: MatrixScenario;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  scenario = await matrixScenario(app);
});

test("the table has a row for every route, and no other", () => {
  expect([...rows.keys()].toSorted()).toEqual(places.map(({ name }) => name).toSorted());
});

// spec: 2.27, 2.110, 2.111, 6.10, 6.11, 6.12, 6.15
test.each(places)("$name", async (place) => {
  const module = (await import(/* @vite-ignore */ `../../${place.file}`)) as Module;
  for (const kind of ["loader", "action"] as const) {
    const page = module[kind];
    const cells = rows.get(place.name)?.[kind];
    expect(Boolean(cells), `has a row for its ${kind}`).toBe(Boolean(page));
    if (!cells || !page) continue;
    const expected: Record<string, string> = { ...cells };
    for (const [who, like] of Object.entries(OTHERS)) expected[who] = like(cells, place.name);
    const results: Record<string, string> = {};
    for (const who of Object.keys(expected)) {
      results[who] = await ask(place, { kind, page, who });
    }
    expect(results, kind).toEqual(expected);
  }
});

describe("a page without a check of its own is closed by its layout", () => {
  const page = { loader: () => "secret", action: () => "secret", default: () => "secret" };
  const { default: _, ...endpoint } = page;
  const REQUESTS: [string, string, object][] = [
    ["its document", "", {}],
    ["its data", ".data", {}],
    ["its data alone", ".data?_routes=added", {}],
    ["its form", "", { body: new URLSearchParams() }],
    ["its form's data", ".data", { body: new URLSearchParams() }],
  ];
  const LAYOUTS: [string, Record<string, number>][] = [
    ["protected", { visitor: 302, player: 200, admin: 200 }],
    ["admin", { visitor: 302, player: 403, admin: 200 }],
    ["admin-plain", { visitor: 302, player: 403, admin: 200 }],
  ];
  const rows = LAYOUTS.flatMap(([name, statuses]) => [
    ...REQUESTS.map((request) => [name, ...request, page, statuses] as const),
    [name, "an endpoint", "", {}, endpoint, statuses] as const,
    [name, "an endpoint's form", "", { body: new URLSearchParams() }, endpoint, statuses] as const,
  ]);

  test.each(rows)("layouts/%s: %s", async (name, _what, suffix, question, module, statuses) => {
    const parentId = `routes/layouts/${name}`;
    const site = await openSite(app, { path: "admin/added", parentId, module });
    const results: Record<string, number> = {};
    for (const who of Object.keys(statuses)) {
      const cookie = await scenario.cookieOf[who]!();
      const response = await site(`/admin/added${suffix}`, { ...question, cookie });
      // The router's own client is sent away by 202.
      results[who] = response.status === 202 ? 302 : response.status;
      const isIn = results[who] === 200;
      expect((await response.text()).includes("secret"), who).toBe(isIn);
    }
    expect(results).toEqual(statuses);
  });

  test("every address below /admin has such a layout", () => {
    const isAdmin = ({ path }: { path: string }) => /^\/admin(\/|$)/.test(path);
    const guarded = (ids: string[]) => ids.some((id) => /^routes\/layouts\/admin/.test(id));
    const places = allAddresses().filter(isAdmin);
    expect(places.length).toBeGreaterThan(20);
    expect(places.filter(({ ids }) => !guarded(ids))).toEqual([]);
  });
});

type Page = (args: never) => unknown;
type Module = Partial<Record<"loader" | "action", Page>>;

interface Question {
  kind: keyof Module;
  page: Page;
  who: string;
}

const BELOW: Record<string, string> = {
  "layouts/protected": "/events",
  "layouts/semi-public": "/venues",
  "layouts/admin": "/admin",
};

async function ask(place: Place, { kind, page, who }: Question): Promise<string> {
  const things = who === "player" ? scenario.own : scenario.foreign;
  const address = (BELOW[place.name] ?? place.path).replace(/:(\w+)|\*/g, (part, name = part) => {
    const value = things[name];
    if (value === undefined) throw new Error(`test/matrix-scenario.ts has nothing for ${part}`);
    return value;
  });
  const path = address + (QUERIES[place.path]?.(things) ?? "");
  const cookie = await scenario.cookieOf[who === "another's" ? "player" : who]!();
  const form = kind === "action" && { body: FORMS[place.path]?.(things) ?? {} };
  const visited = await visit(app, page, { path, cookie, ...form });
  return describeResult(visited, path);
}

function describeResult({ status, headers, data }: Visited, asked: string): string {
  const to = headers.get("Location")?.replace("http://kickabout.test", "");
  if (status === 403 && data !== null && data !== "Access Denied") return "403 without its words";
  if (to === undefined) return String(status);
  const known: Record<string, string> = {
    [`302${asked}`]: "self",
    "302/": "home",
    [`302/auth?redirectTo=${encodeURIComponent(asked)}`]: "auth",
    // A chat opens at its newest message.
    [`302/auth?redirectTo=${encodeURIComponent(`${asked}#latest`)}`]: "auth",
    "303/demo/checkout/portal": "portal",
  };
  return known[`${status}${to}`] ?? `${status}${to.replace(/[0-9a-f-]{36}/g, ":id")}`;
}
