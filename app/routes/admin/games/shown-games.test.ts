import { describe, expect, test } from "vitest";
import { useOrganiserForms } from "#test/organiser-forms.ts";
import { ada, aGame, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

// The organisers' forms after somebody else has changed the game.
let now = NOW;
const games = useOrganiserForms(() => now);
const { formOf, send, change, statusesOf, aSeries, elsewhere } = games;

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
    const gameId = await aGame(games.app.db);
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
    const joined = { gameId, playerId: await ada(games.app.db), now: NOW };
    expect(await joinGame(games.app.db, games.app.jobs, joined)).toMatchObject({ ok: true });
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
        const seats = games.app.db.updateTable("bookings").set({ attendance: "CheckedIn" });
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
    const gameId = await aGame(games.app.db);
    const path = `/admin/games/${gameId}/${page}`;
    const fields = {
      ...(await formOf(path, intent)),
      ...planned,
      venueId: await aVenue(games.app.db),
    };
    await happens(gameId);
    const { status, text } = await send(path, fields);
    expect([status, text]).toEqual([409, expect.stringContaining(why)]);
  });
});

test("a join form that somebody else has used names no game that was left", async () => {
  const gameId = await aGame(games.app.db);
  const formKey = crypto.randomUUID();
  await joinGame(games.app.db, games.app.jobs, {
    gameId,
    playerId: await ada(games.app.db),
    formKey,
    now: NOW,
  });
  const { status, text } = await send(`/events/${gameId}`, { intent: "join", formKey });
  expect(status).toBe(409);
  expect(text).not.toContain("You have left this game");
  expect(text).toContain("This form has booked another seat before. Nothing was booked");
});

test("a tap with a second account beside one's own is rejected", async () => {
  const gameId = await aGame(games.app.db, { startsIn: 0.5 });
  const playerId = await ada(games.app.db);
  const joined = await joinGame(games.app.db, games.app.jobs, { gameId, playerId, now });
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
