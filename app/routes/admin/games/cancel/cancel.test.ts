import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aVenue, balanceCents, everything, hoursLater, NOW } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { buttonsOf, renderPage, textOf } from "#test/screen.tsx";
import { toastAfter, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { markAttendance } from "#app/features/roster/roster.server.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import type { App } from "#app/routes/context.server.ts";
import * as atVenue from "./at-venue.tsx";
import * as cancelPage from "./cancel.tsx";
import type { CancelView } from "./view.server.ts";
import * as deletePage from "#app/routes/admin/games/plan/delete.tsx";
import * as show from "#app/routes/admin/games/show.tsx";

const database = useDatabase();
let app: App;
let now = NOW;
let [actorId, cookie, venueId] = ["", "", ""];
/** Four weeks from December 2nd. */
let series: string[];
beforeAll(async () => {
  app = testApp(database, () => now);
  ({ cookie, id: actorId } = await anAdmin(app));
});
beforeEach(async () => {
  now = NOW;
  venueId = await aVenue(app.db);
  const wish = { plan: aPlan(venueId), weeks: 4, status: "Published" as const, actorId, now };
  const made = await createGames(app.db, wish);
  series = made.ok ? made.gameIds : [];
});

type Page = Parameters<typeof visit>[1];
type Fields = Record<string, string>;
type Shown = { view: CancelView; formKey: string; ids: string; button: string; about: string };

async function open(page: { loader: Page }, path: string) {
  return (await visit(app, page.loader, { path, cookie })).data as unknown as Shown;
}
async function post(page: { action: Page }, path: string, body: Fields) {
  const { data, ...result } = await visit(app, page.action, { path, cookie, body });
  return { ...result, data: data as unknown as FormResult };
}
async function join(gameId: string) {
  const playerId = await ada(app.db);
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return { playerId, bookingId: joined.bookingId };
}
/** Added by the organiser, who has the cash. */
async function pay(gameId: string, amountCents: number) {
  const payment = { by: "cash", amountCents, method: "Cash" } as const;
  const playerId = await ada(app.db);
  await addPlayer(app.db, app.jobs, { gameId, playerId, actorId, payment, now: NOW });
}
const at = (gameId: string, suffix = "") => `/admin/games/${gameId}${suffix}`;
const statuses = async () => {
  const games = app.db.selectFrom("games").select("status").where("id", "in", series);
  return (await games.orderBy("starts_at").execute()).map(({ status }) => status);
};

async function begin(gameId: string) {
  const games = app.db.updateTable("games").set({ date: "2026-11-20" });
  await games.where("id", "=", gameId).execute();
}

describe("a series", () => {
  test("is shown with players and credits, and cancelled from a game on with one form", async () => {
    const [, second = "", third = ""] = series;
    const players = [await join(second), await join(second), await join(third)];
    const path = at(second, "/cancel?scope=following");
    const { view, formKey } = await open(cancelPage, path);
    expect([view.count, view.effect]).toEqual([
      3,
      "3 games, 3 players. 30 credits come back. Everybody who is in or waits gets an email.",
    ]);
    expect(view.games[0]).toMatchObject({ day: "Wed, Dec 9, 2026, 19:00–20:30", notes: "2 in" });
    const form = { intent: "cancel", games: view.shown, formKey, message: "The hall is flooded." };
    for (let n = 0; n < 2; n += 1) {
      const { status, headers } = await post(cancelPage, path, form);
      expect([status, headers.get("Location")]).toEqual([302, at(second)]);
      expect(await toastAfter(app, headers)).toMatchObject({
        ...{ title: "3 games cancelled", description: "3 players are notified by email." },
      });
    }
    expect(await statuses()).toEqual(["Published", "Cancelled", "Cancelled", "Cancelled"]);
    for (const { playerId } of players) expect(await balanceCents(app.db, playerId)).toBe(10_000);
    const messages = app.db.selectFrom("game_messages").select("message");
    expect(await messages.where("game_id", "in", series).execute()).toHaveLength(2);
    expect((await open(cancelPage, path)).view.count).toBe(0);
  });

  test("names the cash to give back beside the credits", async () => {
    const [first = "", second = ""] = series;
    await pay(first, 800);
    await pay(second, 750);
    await join(second);
    const { view } = await open(cancelPage, at(first, "/cancel?scope=following"));
    expect(view.effect).toBe(
      "4 games, 3 players. 10 credits come back. 15.50\u00a0€ that players paid by hand is " +
        "yours to give back. Everybody who is in or waits gets an email.",
    );
    const period = `/admin/venues/${venueId}/cancel-games?from=2026-12-02&to=2026-12-02`;
    expect((await open(atVenue, period)).view.effect).toBe(
      "1 game, 1 player. No credits come back. 8.00\u00a0€ that players paid by hand is " +
        "yours to give back. Everybody who is in or waits gets an email.",
    );
    const site = await openSite(app);
    const read = async () => {
      const html = await (await site(at(first), { cookie })).text();
      return textOf(html.replaceAll(/<script\b.*?<\/script>/gs, ""));
    };
    expect(await read()).toContain("8.00\u00a0€ that players paid by hand is yours to give back.");
    await post(show, at(first), { intent: "cancel" });
    const after = await read();
    expect(after).toContain("Nobody had paid with credits, so none were refunded.");
    expect(after).toContain("|Money to give back: 8.00\u00a0€|");
  });

  test("of its games those that were ticked are shown and cancelled, and no others", async () => {
    const [first = "", second = "", third = "", fourth = ""] = series;
    await join(third);
    const other = await aGame(app.db);
    const ticked = [second, third, other, "7"].map((id) => `game=${id}`).join("&");
    const path = at(first, `/cancel?${ticked}`);
    const { view, about } = await open(cancelPage, path);
    expect(about).toBe("Campus Hall, Indoor futsal");
    expect([view.ids, view.effect]).toEqual([
      [second, third].join(),
      "2 games, 1 player. 10 credits come back. Everybody who is in or waits gets an email.",
    ]);
    await post(cancelPage, path, { intent: "cancel", games: view.shown, message: "Closed." });
    expect(await statuses()).toEqual(["Published", "Cancelled", "Cancelled", "Published"]);
    await begin(fourth);
    expect((await open(cancelPage, at(first, `/cancel?game=${fourth}`))).view.count).toBe(0);
  });

  test("offers a tick and an edit for each game that is still to come", async () => {
    const [first = "", second = ""] = series;
    await begin(first);
    const site = await openSite(app);
    const html = await (await site(at(first), { cookie })).text();
    expect(html).toContain(`name="game" value="${second}"`);
    expect(html).toContain(`href="${at(second, "/edit")}"`);
    expect(html).not.toContain(`name="game" value="${first}"`);
  });

  test("a game that joined the series since the page was shown is not cancelled", async () => {
    const [first = "", , third = ""] = series;
    const path = at(third, "/cancel?scope=following");
    const { view } = await open(cancelPage, path);
    const moved = app.db.updateTable("games").set({ date: "2027-02-03" });
    await moved.where("id", "=", first).execute();
    await post(cancelPage, path, { intent: "cancel", games: view.shown });
    expect(await statuses()).toEqual(["Published", "Cancelled", "Cancelled", "Published"]);
  });

  test("what is too long, or nothing, cancels nothing", async () => {
    const [gameId = ""] = series;
    const before = await everything(app.db);
    const { view } = await open(cancelPage, at(gameId, "/cancel"));
    const form = { intent: "cancel", games: view.shown, message: "x".repeat(5_001) };
    const long = await post(cancelPage, at(gameId, "/cancel"), form);
    expect([long.status, long.data.fieldErrors]).toEqual([
      422,
      { message: "Message is too long (max 5000 characters)" },
    ]);
    const none = await post(cancelPage, at(gameId, "/cancel"), { intent: "cancel", games: "" });
    expect([none.status, none.data.formError]).toEqual([409, "There was nothing to cancel."]);
    expect(await everything(app.db)).toEqual(before);
  });
});

describe("a venue", () => {
  const path = (query: string) => `/admin/venues/${venueId}/cancel-games${query}`;

  test("has its games of a period shown and cancelled", async () => {
    await join(series[1]!);
    expect((await open(atVenue, path(""))).view).toBeNull();
    const period = path("?from=2026-12-09&to=2026-12-16");
    const { view, formKey } = await open(atVenue, period);
    expect(view.effect).toMatch(/^2 games, 1 player\. 10 credits come back\./);
    const form = { intent: "cancel", games: view.shown, formKey, message: "" };
    const { status, headers } = await post(atVenue, period, form);
    expect([status, headers.get("Location")]).toEqual([302, `/admin/venues/${venueId}`]);
    expect(await statuses()).toEqual(["Published", "Cancelled", "Cancelled", "Published"]);
  });

  test("the days of a period are read as people type them", async () => {
    const page = await open(atVenue, path("?from=9.12.2026&to=16/12/2026"));
    expect(page).toMatchObject({ from: "2026-12-09", to: "2026-12-16", errors: {} });
  });

  test.each([
    ["?from=2026-12-09&to=2026-12-01", { to: "The last day is before the first" }],
    ["?from=0000-01-01&to=2026-12-01", { from: "Enter the first day, such as 31.12.2026" }],
    ["?from=2026-12-01&to=9999-12-31", { to: "Enter the last day, such as 31.12.2026" }],
    ["?from=soon&to=2026-12-01", { from: "Enter the first day, such as 31.12.2026" }],
    ["?from=2026-12-01&to=", { to: "Enter the last day, such as 31.12.2026" }],
  ])("for a period %s is asked again", async (query, errors) => {
    expect(await open(atVenue, path(query))).toMatchObject({ errors, view: null });
  });
});

describe("a game's page", () => {
  const page = async (gameId: string) => {
    const { data } = await visit(app, show.loader, { path: at(gameId), cookie });
    return renderPage(show.default, { loaderData: data });
  };

  test("does not offer to cancel what was played, and the server says why not", async () => {
    const gameId = await aGame(app.db, { startsIn: 1 });
    const { bookingId } = await join(gameId);
    now = hoursLater(4);
    expect(buttonsOf(await page(gameId))).toContain("Cancel game");
    const mark = { gameId, bookingId, actorId, from: null, to: "CheckedIn" as const, now };
    await markAttendance(app.db, mark);
    expect(buttonsOf(await page(gameId))).not.toContain("Cancel game");
    const { status, data } = await post(show, at(gameId), { intent: "cancel" });
    expect([status, data.formError]).toEqual([
      409,
      "It was played: it has a result or check-ins. Take back the result and undo the check-ins first.",
    ]);
    const { view } = await open(cancelPage, at(gameId, "/cancel"));
    expect([view.count, view.played]).toEqual([0, expect.stringContaining("check-in")]);
  });

  test("cancels with a reason, and then still reaches its players", async () => {
    const [gameId = ""] = series;
    await join(gameId);
    const form = { intent: "cancel", message: "Snow." };
    expect((await post(show, at(gameId), form)).status).toBe(302);
    const html = await page(gameId);
    expect(buttonsOf(html)).toContain("Message all");
    expect(textOf(html)).toContain("Send to 1 player");
    const words = { intent: "message", subject: "Instead", message: "Friday?" };
    const message = { ...words, messageId: crypto.randomUUID() };
    expect((await post(show, at(gameId), message)).status).toBe(302);
    const kept = app.db.selectFrom("game_messages").select("subject").orderBy("sent_at");
    expect(await kept.where("game_id", "=", gameId).execute()).toHaveLength(2);
  });

  test("publishing over another game asks, and publishes with the answer", async () => {
    const taken = await aGame(app.db, { venue_id: venueId, title: "Taken" });
    const gameId = await aGame(app.db, { venue_id: venueId, status: "Draft" });
    const asked = await post(show, at(gameId), { intent: "publish" });
    const { confirmation } = asked.data as { confirmation: { key: string; warnings: object[] } };
    expect([asked.status, confirmation.warnings]).toEqual([
      200,
      [
        {
          text: "The venue is taken on Mon, Nov 23, 2026, 12:00–13:30 by:",
          games: [{ id: taken, label: "Taken, Mon, Nov 23, 2026, 12:00–13:30" }],
        },
      ],
    ]);
    const form = { intent: "publish", confirmed: confirmation.key };
    expect((await post(show, at(gameId), form)).status).toBe(302);
  });
});

describe("deleting", () => {
  test("is offered for what nobody joined, removes it, and its page is gone", async () => {
    const [first = "", second = "", third = ""] = series;
    await join(second);
    const site = await openSite(app);
    const { ids, button, formKey } = await open(deletePage, at(first, "/delete?scope=following"));
    expect([ids.split(",").length, button]).toEqual([3, "Delete 3 games"]);
    const form = { intent: "delete", games: ids, formKey };
    const { status, headers } = await post(deletePage, at(first, "/delete"), form);
    expect([status, headers.get("Location")]).toEqual([302, "/admin/games"]);
    for (const gone of [first, third]) {
      expect((await site(`/events/${gone}`)).status).toBe(404);
    }
    expect((await site(`/events/${second}`)).status).toBe(200);
    expect((await open(deletePage, at(second, "/delete"))).ids).toBe("");
    const log = textOf(await (await site("/admin/log", { cookie })).text());
    expect(log).toContain("deleted a game");
  });

  test("of a game that was joined meanwhile deletes nothing", async () => {
    const [gameId = ""] = series;
    const { ids } = await open(deletePage, at(gameId, "/delete"));
    await join(gameId);
    const { status, data } = await post(deletePage, at(gameId, "/delete"), { games: ids });
    expect([status, data.formError]).toEqual([409, expect.stringContaining("joined")]);
  });
});
