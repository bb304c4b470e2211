import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, everything, hoursLater, NOW } from "#test/fixtures.ts";
import { buttonsOf, renderPage, textOf } from "#test/screen.tsx";
import { signIn, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { decideGame } from "#app/features/organise/decide-games.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import type { App } from "#app/routes/context.server.ts";
import * as edit from "./edit.tsx";
import * as fresh from "./new.tsx";
import * as show from "#app/routes/admin/games/show.tsx";

const database = useDatabase();
let app: App;
let now = NOW;
let [cookie, gameId] = ["", ""];
beforeAll(async () => {
  app = testApp(database, () => now);
  ({ cookie } = await anAdmin(app));
});
beforeEach(async () => {
  now = NOW;
  await app.db.updateTable("games").set({ min_players: null }).execute();
  gameId = await aGame(app.db, { startsIn: 10, min_players: 3 });
});

type Form = Record<string, string>;
const at = (suffix = "") => `/admin/games/${gameId}${suffix}`;
async function post(page: { action: (args: never) => unknown }, path: string, body: Form) {
  const { status, data, headers } = await visit(app, page.action, { path, cookie, body });
  return { status, headers, result: data as FormResult };
}
async function formOf(page: { loader: (args: never) => unknown }, path: string): Promise<Form> {
  const { data } = await visit(app, page.loader, { path, cookie });
  const { values, version } = data as { values: Form; version?: number };
  return { ...values, ...(version && { version: String(version) }) };
}
const plan = async (id = gameId) => (await findPlannedGame(app.db, id))!;
async function join(id = gameId) {
  const playerId = await ada(app.db);
  await joinGame(app.db, app.jobs, { gameId: id, playerId, now: NOW });
  return playerId;
}

describe("the form of a game", () => {
  const NEW = "/admin/games/new";

  test("has the minimum, and hours that are three unless chosen otherwise", async () => {
    const filled = { ...(await formOf(fresh, NEW)), intent: "publish", weeks: "2" };
    const form = { ...filled, minPlayers: "8", decidesHours: "", date: "2026-12-02" };
    const { status, headers } = await post(fresh, NEW, form);
    expect(status).toBe(302);
    const made = await plan(headers.get("Location")!.split("/").at(-1)!);
    expect(made.plan).toMatchObject({ minPlayers: 8, decidesHours: 3 });
    expect(made.decidesAt).toEqual(new Date(made.startsAt.getTime() - 3 * 3_600_000));
  });

  test.each<[Form, Form]>([
    [{ minPlayers: "0" }, { minPlayers: "Minimum players must be a whole number from 1 to 200" }],
    [
      { minPlayers: "3", decidesHours: "none" },
      { decidesHours: "Enter hours from 0.5 to 168, such as 3 or 2.5" },
    ],
    [
      { minPlayers: "12", maxPlayers: "10" },
      { minPlayers: "The game on Sat, Nov 21, 2026 has 10 spots: the minimum cannot be higher." },
    ],
    [
      { minPlayers: "3", decidesHours: "12" },
      {
        decidesHours: "Sat 10:00 is over. Choose fewer hours, so that it is decided in the future.",
      },
    ],
  ])("with %j says what is wrong, and keeps what was typed", async (wish, fieldErrors) => {
    const before = await everything(app.db);
    const form = { ...(await formOf(edit, at("/edit"))), ...wish };
    const edited = await post(edit, at("/edit"), { ...form, intent: "save" });
    const slot = { date: form.date!, startTime: form.startTime!, endTime: form.endTime! };
    const made = { ...(await formOf(fresh, NEW)), ...slot, ...wish };
    const created = await post(fresh, NEW, { ...made, intent: "publish" });
    for (const { status, result } of [edited, created]) {
      expect([status, result.fieldErrors]).toEqual([422, fieldErrors]);
      expect(result.values).toMatchObject(wish);
    }
    expect(await everything(app.db)).toEqual(before);
  });

  test("of two admins the second sees which minimum the first has saved", async () => {
    const stale = { ...(await formOf(edit, at("/edit"))), intent: "save", minPlayers: "4" };
    await post(edit, at("/edit"), { ...stale, minPlayers: "5", decidesHours: "2" });
    const { status, result } = await post(edit, at("/edit"), stale);
    expect([status, result.conflict?.differences]).toEqual([
      409,
      [
        { label: "Minimum players", theirs: "5", yours: "4" },
        { label: "Decided, hours before", theirs: "2", yours: "3" },
      ],
    ]);
  });

  test("whose decision is over is not published", async () => {
    gameId = await aGame(app.db, { startsIn: 2, min_players: 3, status: "Draft" });
    const { status, result } = await post(show, at(), { intent: "publish" });
    expect([status, result.formError]).toEqual([
      409,
      expect.stringContaining("called off at once"),
    ]);
  });
});

describe("the organiser's page", () => {
  async function page() {
    const { data } = await visit(app, show.loader, { path: at(), cookie });
    const html = renderPage(show.default, { loaderData: data });
    return { text: textOf(html), buttons: buttonsOf(html) };
  }
  const playAnyway = async () =>
    post(show, at(), { intent: "play-anyway", version: String((await plan()).version) });

  test("says with too few players what will happen, and plays it anyway", async () => {
    await join();
    const before = await page();
    expect(before.text).toContain("1 of 3 players");
    expect(before.text).toContain("It is called off by itself Sat 19:00, unless 3 are in by then.");
    expect(before.text).toContain("|Minimum|3 players, decided Sat 19:00|");
    expect(before.buttons).toContain("Play anyway");
    expect((await playAnyway()).status).toBe(302);
    const after = await page();
    expect(after.text).toContain("It is played with however many come: 1 so far.");
    expect(after.buttons).not.toContain("Play anyway");
  });

  test("says nothing of it with enough players, nor without a minimum", async () => {
    for (let n = 0; n < 3; n += 1) await join();
    expect((await page()).buttons).not.toContain("Play anyway");
    gameId = await aGame(app.db);
    const { text, buttons } = await page();
    expect(text).toContain("|Minimum|None|");
    expect(buttons).not.toContain("Play anyway");
  });

  test("says why a game was called off by itself, and plays it no more", async () => {
    const { version } = await plan();
    await decideGame(app.db, app.jobs, { gameId, now: hoursLater(7) });
    const { text, buttons } = await page();
    expect(text).toContain("This game was called off: too few players.");
    expect(buttons).not.toContain("Play anyway");
    const late = await post(show, at(), { intent: "play-anyway", version: String(version) });
    expect([late.status, late.result.formError]).toEqual([
      409,
      "It is a draft, or was cancelled or completed.",
    ]);
  });

  test("plays nothing that has changed since", async () => {
    const { version } = await plan();
    await app.db.updateTable("games").set({ min_players: 4 }).where("id", "=", gameId).execute();
    const body = { intent: "play-anyway", version: String(version) };
    expect((await post(show, at(), body)).status).toBe(409);
    expect((await plan()).decision).toBeNull();
  });

  test("an unknown game is not there to be played", async () => {
    gameId = crypto.randomUUID();
    const body = { intent: "play-anyway", version: "1" };
    expect((await post(show, at(), body)).status).toBe(404);
  });

  test("the log names who called it off, and who plays it", async () => {
    await playAnyway();
    const other = await aGame(app.db, { startsIn: 10, min_players: 3 });
    await decideGame(app.db, app.jobs, { gameId: other, now: hoursLater(7) });
    const ask = await openSite(app);
    const text = textOf(await (await ask("/admin/log", { cookie })).text());
    expect(text).toMatch(/The system\W+cancelled \W?Sat/);
    expect(text).toContain("anyway, with 0 of 3 players");
  });
});

describe("players read", () => {
  const textAt = async (path: string, as: string) => {
    const ask = await openSite(app);
    const html = await (await ask(path, { cookie: as })).text();
    return textOf(html.slice(html.indexOf("<main"), html.indexOf("</main>")));
  };

  test("on the list, the game's page and their ticket from how many players it is on", async () => {
    const player = await signIn(app, await join());
    const paths = ["/events", `/events/${gameId}`, "/bookings"];
    for (const path of paths) {
      expect(await textAt(path, player)).toContain(
        "On from 3 players. 1 so far. Decided at 19:00.",
      );
    }
    for (let n = 0; n < 2; n += 1) await join();
    for (const path of paths) expect(await textAt(path, player)).toContain("On: 3 players are in.");
  });

  test("on the page of a game that was called off why, and nothing of it once it has begun", async () => {
    const player = await signIn(app, await join());
    const other = gameId;
    gameId = await aGame(app.db, { startsIn: 10, min_players: 3 });
    const second = await signIn(app, await join());
    await decideGame(app.db, app.jobs, { gameId, now: hoursLater(7) });
    expect(await textAt(`/events/${gameId}`, second)).toContain(
      "This game was called off: too few players.",
    );
    now = hoursLater(10);
    for (const path of ["/events", `/events/${other}`, "/bookings"]) {
      expect(await textAt(path, player)).not.toContain("On from");
    }
  });
});
