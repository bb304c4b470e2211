import { beforeAll, beforeEach, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, NOW } from "#test/fixtures.ts";
import { textOf } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";
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
    "Venue pages will show €5, but players pay 10 credits.",
  );
  expect(await page(at())).toContain("(players pay 10 credits)");
});

test("over another one asks, as a form that works without JavaScript", async () => {
  await aGame(app.db, { venue_id: venueId, title: "Taken", date: "2026-12-02" });
  const wish = { date: "2026-12-02", startTime: "12:30", endTime: "14:00", title: "Over it" };
  const form = { ...(await filled()), ...wish, intent: "publish" };
  const { status, data } = await post(form);
  expect([status, data.asked, data.asks]).toMatchObject([
    ...[200, "publish"],
    {
      button: "Publish anyway",
      asks: [{ games: [{ label: expect.stringMatching(/^Taken, Wed, Dec 2/) }] }],
    },
  ]);
  const { intent: _, ...fields } = form;
  const answer = { ...fields, asked: "publish", confirmed: data.asks!.key };
  const other = await post({ ...answer, startTime: "12:45" });
  expect([other.status, other.data.values]).toMatchObject([200, { startTime: "12:45" }]);
  expect((await post(answer)).status).toBe(302);
});

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
