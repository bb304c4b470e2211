import { beforeAll, beforeEach, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { textOf } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import * as edit from "./edit.tsx";
import * as fresh from "./new.tsx";
import type { PlanResult } from "./actions.server.ts";

const database = useDatabase();
let app: App;
let [cookie, venueId, gameId] = ["", "", ""];
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie } = await anAdmin(app));
});
beforeEach(async () => {
  venueId = await aVenue(app.db);
  gameId = await aGame(app.db, { venue_id: venueId });
});

type Fields = Record<string, string>;
const NEW = "/admin/games/new";
const at = (suffix = "") => `/admin/games/${gameId}${suffix}`;
async function filled(): Promise<Fields> {
  const visited = await visit(app, fresh.loader, { path: `${NEW}?venue=${venueId}`, cookie });
  return (visited.data as { values: Fields }).values;
}
async function post(body: Fields) {
  const { status, data } = await visit(app, fresh.action, { path: NEW, cookie, body });
  return { status, data: data as PlanResult };
}

test("says what the price is for, and warns where it is not what players pay", async () => {
  const ask = await openSite(app);
  const page = async (path: string) => (await ask(path, { cookie })).text();
  const HINT = "Shown on venue pages only. Players always pay 10 credits.";
  const html = await page(`${NEW}?venue=${venueId}`);
  expect(html).toContain(`<p id="priceEur-hint" class="text-sm text-muted">${HINT}</p>`);
  expect(html).toMatch(/<input[^>]*aria-describedby="priceEur-hint"[^>]*name="priceEur"/);
  expect(textOf(html)).not.toContain("Venue pages will show");
  const games = app.db.updateTable("games").set({ price_eur: "5.00" });
  await games.where("id", "=", gameId).execute();
  expect(textOf(await page(at("/edit"))).replaceAll("|", "")).toContain(
    "Venue pages will show 5\u00a0€, but players pay 10 credits.",
  );
  expect(await page(at())).toContain("(players pay 10 credits)");
});

test("over another one asks, as a form that works without JavaScript", async () => {
  await aGame(app.db, { venue_id: venueId, title: "Taken", date: "2026-12-02" });
  const wish = { date: "2026-12-02", startTime: "12:30", endTime: "14:00", title: "Over it" };
  const form = { ...(await filled()), ...wish, intent: "publish" };
  const { status, data } = await post(form);
  expect([status, data.asked, data.confirmation]).toMatchObject([
    ...[200, "publish"],
    {
      button: "Publish anyway",
      warnings: [{ games: [{ label: expect.stringMatching(/^Taken, Wed, Dec 2/) }] }],
    },
  ]);
  const { intent: _, ...fields } = form;
  const answer = { ...fields, asked: "publish", confirmed: data.confirmation!.key };
  const other = await post({ ...answer, startTime: "12:45" });
  expect([other.status, other.data.values]).toMatchObject([200, { startTime: "12:45" }]);
  expect((await post(answer)).status).toBe(302);
});

test("an edit that is confirmed again names who has joined since the question", async () => {
  const ask = await openSite(app);
  const { data } = await visit(app, edit.loader, { path: at("/edit"), cookie });
  const { values, version } = data as { values: Fields; version: number };
  const form = { ...values, version: String(version), intent: "save", startTime: "12:30" };
  const save = async (answer: Fields) => {
    const body = new URLSearchParams({ ...form, ...answer });
    return (await ask(at("/edit"), { cookie, body })).text();
  };
  const answerOf = (html: string) => ({
    askedAt: /name="askedAt" value="([^"]+)"/.exec(html)![1]!,
    confirmed: /value="([^"]+)"[^>]*name="confirmed"/.exec(html)![1]!,
  });
  await join("Early", -1);
  const first = await save({});
  expect(textOf(first)).toContain("|Nothing is saved yet. Each is notified");
  await join("Ada", 0);
  const second = await save(answerOf(first));
  expect(textOf(second)).toMatch(/not what you confirmed\. Ada Numberi+ has joined since\. Each/);
  for (const [minutes, name] of ["Bea", "Cia", "Dan", "Eve"].entries()) {
    await join(name, (minutes + 1) / 60);
  }
  expect(textOf(await save(answerOf(second)))).toMatch(
    /Ada Numberi+, Bea Numberi+, Cia Numberi+, and 2 more have joined since\./,
  );
  for (const askedAt of ["", "never", "0000-01-01T00:00:00Z"]) {
    const page = await save({ ...answerOf(first), askedAt });
    expect(textOf(page)).toContain("|This changes the game of 6 players|");
  }
});

async function join(name: string, hours: number) {
  const playerId = await aPlayer(app.db, { name, credits: 10 });
  await joinGame(app.db, app.jobs, { gameId, playerId, now: hoursLater(hours) });
}

test("is filled in with a day that is near and free, also after a long series", async () => {
  const dateOf = async () => (await filled()).date;
  // The one game there is on Monday, Nov 23.
  expect(await dateOf()).toBe("2026-11-30");
  const onMonday = (date: string) => aGame(app.db, { venue_id: venueId, date });
  await onMonday("2026-11-30");
  expect(await dateOf()).toBe("2026-12-07");
  for (const date of ["2026-12-07", "2026-12-14", "2026-12-21", "2027-04-19"]) await onMonday(date);
  expect(await dateOf()).toBe("2026-11-30");
});
