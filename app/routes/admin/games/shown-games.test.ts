import { beforeAll, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { textOf } from "#test/screen.tsx";
import { openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";

// The organisers' forms after somebody else has changed the game.
const database = useDatabase();
withoutTimeouts(database);
let app: App;
let cookie = "";
let now = NOW;
beforeAll(async () => {
  app = testApp(database, () => now);
  ({ cookie } = await anAdmin(app));
});

async function formOf(path: string, intent: string): Promise<Record<string, string>> {
  const html = await (await (await openSite(app))(path, { cookie })).text();
  const forms = html.split("<form").map((part) => part.split("</form>")[0]!);
  const form = forms.find((part) => part.includes(`name="intent" value="${intent}"`))!;
  const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const fields = [...inputs].map(([, name, value]) => [name, value!.replaceAll("&amp;", "&")]);
  return Object.fromEntries(fields);
}
async function send(path: string, fields: Record<string, string> | [string, string][]) {
  const body = new URLSearchParams(fields);
  const response = await (await openSite(app))(path, { cookie, body });
  const html = (await response.text()).replaceAll(/<script\b.*?<\/script>/gs, "");
  return { status: response.status, text: textOf(html) };
}
const change = (id: string, columns: Parameters<typeof aGame>[1]) => {
  const { startsIn: _, ...set } = columns ?? {};
  return app.db.updateTable("games").set(set).where("id", "=", id).execute();
};
async function statusesOf(ids: string[]) {
  const games = app.db.selectFrom("games").select(["id", "status"]).where("id", "in", ids);
  const found = await games.execute();
  return ids.map((id) => found.find((game) => game.id === id)?.status);
}
async function aSeries(wish: Parameters<typeof aGame>[1] = {}) {
  const [series_id, venue_id] = [crypto.randomUUID(), await aVenue(app.db)];
  const ids = await Promise.all(
    [48, 72].map((startsIn) => aGame(app.db, { startsIn, series_id, venue_id, ...wish })),
  );
  return { ids, first: ids[0]!, second: ids[1]!, venue_id };
}
const elsewhere = async () => ({ venue_id: await aVenue(app.db, { name: "Harbour Hall" }) });

type Series = Awaited<ReturnType<typeof aSeries>>;

describe("a game that was moved to another venue is not cancelled", () => {
  test.each<[string, (series: Series) => string]>([
    ["on its own page", ({ first }) => `/admin/games/${first}`],
    ["alone", ({ first }) => `/admin/games/${first}/cancel`],
    ["with those that follow", ({ first }) => `/admin/games/${first}/cancel?scope=following`],
    [
      "ticked",
      ({ first, ids }) => `/admin/games/${first}/cancel?${ids.map((id) => `game=${id}`).join("&")}`,
    ],
    [
      "in the list of its venue",
      ({ venue_id }) => `/admin/venues/${venue_id}/cancel-games?from=2026-11-22&to=2026-11-28`,
    ],
  ])("a game that was moved to another venue is not cancelled: %s", async (_, at) => {
    const series = await aSeries();
    const path = at(series);
    const fields = await formOf(path, "cancel");
    const there = await elsewhere();
    for (const id of series.ids) await change(id, there);
    const { status, text } = await send(path, fields);
    expect([status, await statusesOf(series.ids)]).toEqual([409, ["Published", "Published"]]);
    expect(text).toContain("Nothing was cancelled: players have joined or left meanwhile");
  });
});

describe("a form that says twice what was shown does nothing", () => {
  test.each<[string, (shown: string) => string[]]>([
    ["two fields", (shown) => [shown, shown]],
    ["a name twice in the field", (shown) => [`${shown}&a=1&a=2`]],
  ])("a form that says twice what was shown does nothing: %s", async (_, shownIn) => {
    const gameId = await aGame(app.db);
    const path = `/admin/games/${gameId}`;
    const { shown = "", ...fields } = await formOf(path, "cancel");
    const twice = shownIn(shown).map((text): [string, string] => ["shown", text]);
    expect((await send(path, [...Object.entries(fields), ...twice])).status).toBe(400);
    expect(await statusesOf([gameId])).toEqual(["Published"]);
  });
});

test("a used form without games has nothing to cancel, and says so", async () => {
  const { first } = await aSeries();
  const path = `/admin/games/${first}/cancel?scope=following`;
  const fields = await formOf(path, "cancel");
  expect((await send(path, fields)).status).toBe(302);
  for (const games of ["", crypto.randomUUID()]) {
    const { status, text } = await send(path, { ...fields, games });
    expect(status).toBe(409);
    expect(text).toContain("There was nothing to cancel.");
  }
});

test("a form that finds no game left says why, also where none is listed any more", async () => {
  const { ids, first, venue_id } = await aSeries();
  const paths = [
    `/admin/games/${first}/cancel?scope=following`,
    `/admin/venues/${venue_id}/cancel-games?from=2026-11-22&to=2026-11-28`,
  ];
  const forms = await Promise.all(paths.map((path) => formOf(path, "cancel")));
  for (const id of ids) await change(id, { status: "Cancelled" });
  for (const [n, path] of paths.entries()) {
    const { status, text } = await send(path, forms[n]!);
    expect(status).toBe(409);
    expect(text).toContain("2 games had begun, or had been cancelled or completed before.");
  }
});

type Late = [
  string,
  page: string,
  intent: string,
  change: (gameId: string) => Promise<unknown>,
  why: string,
];

describe("a form whose game can no longer be changed says why on the game's own page", () => {
  const begun = "1 game had begun, or had been cancelled or completed before.";
  const isIn = async (gameId: string) => {
    const joined = { gameId, playerId: await ada(app.db), now: NOW };
    expect(await joinGame(app.db, app.jobs, joined)).toMatchObject({ ok: true });
  };
  const planned = {
    ...{ title: "Futsal", sport: "Futsal", date: "2026-12-02", startTime: "19:00" },
    ...{ endTime: "20:30", maxPlayers: "10", gameFormat: "5v5" },
    ...{ priceEur: "10", surroundings: "indoor", decidesHours: "3", description: "" },
  };
  test.each<Late>([
    ["cancelled, cancel", "cancel", "cancel", (id) => change(id, { status: "Cancelled" }), begun],
    ["completed, cancel", "cancel", "cancel", (id) => change(id, { status: "Completed" }), begun],
    [
      ...(["played, cancel", "cancel", "cancel"] as const),
      async (id) => {
        await isIn(id);
        const seats = app.db.updateTable("bookings").set({ attendance: "CheckedIn" });
        await seats.where("game_id", "=", id).execute();
      },
      "1 game not, because there is a result or a check-in.",
    ],
    ["joined, delete", "delete", "delete", isIn, "somebody has joined, or written about, one"],
    [
      ...(["cancelled, edit", "edit", "save"] as const),
      (id) => change(id, { status: "Cancelled" }),
      "|Failed to save game|This game can no longer be changed.",
    ],
  ])("a form whose game can no longer be changed says why: %s", async (...late) => {
    const [, page, intent, happens, why] = late;
    const gameId = await aGame(app.db);
    const path = `/admin/games/${gameId}/${page}`;
    const fields = { ...(await formOf(path, intent)), ...planned, venueId: await aVenue(app.db) };
    await happens(gameId);
    const { status, text } = await send(path, fields);
    expect([status, text]).toEqual([409, expect.stringContaining(why)]);
  });
});

test("a join form that somebody else has used names no game that was left", async () => {
  const gameId = await aGame(app.db);
  const formKey = crypto.randomUUID();
  await joinGame(app.db, app.jobs, { gameId, playerId: await ada(app.db), formKey, now: NOW });
  const { status, text } = await send(`/events/${gameId}`, { intent: "join", formKey });
  expect(status).toBe(409);
  expect(text).not.toContain("You have left this game");
  expect(text).toContain("This form has booked another seat before. Nothing was booked");
});

test("a tap with a second account beside one's own is rejected", async () => {
  const gameId = await aGame(app.db, { startsIn: 0.5 });
  const playerId = await ada(app.db);
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now });
  const bookingId = joined.ok ? joined.bookingId : "";
  const { account = "" } = await formOf(`/admin/games/${gameId}`, "cancel");
  const tap = Object.entries({
    intent: "attendance",
    bookingId,
    from: "",
    to: "CheckedIn",
    account,
  });
  now = hoursLater(0.4);
  const path = `/admin/games/${gameId}/tap`;
  const rejected = await send(path, [...tap, ["account", playerId]] as [string, string][]);
  expect([rejected.status, rejected.text]).toMatchObject([
    403,
    expect.stringContaining("another admin"),
  ]);
  expect((await send(path, tap as [string, string][])).status).toBe(200);
  now = NOW;
});
