import { beforeAll, expect, test } from "vitest";
import { requestContext, testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn, visit } from "#test/visit.ts";
import { ada, aGame, aVenue, ben, NOW } from "#test/fixtures.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { sessionMiddleware } from "#app/routes/guards.server.ts";
import { loader as overview } from "./overview.tsx";
import { loader as file } from "./file.ts";
import type { filePaths, ReportView } from "./report.server.ts";

const database = useDatabase();
let app: App;
let cookie: string;
let hall: string;
beforeAll(async () => {
  let now = NOW;
  app = testApp(database, () => now);
  const adminId = await ben(app.db);
  const { email } = await app.db
    .selectFrom("profiles")
    .select("email")
    .where("user_id", "=", adminId)
    .executeTakeFirstOrThrow();
  await makeAdmin(app.db, email, "test");
  cookie = await signIn(app, adminId);
  hall = await aVenue(app.db, { name: "=HYPERLINK(1)" });
  const gameId = await aGame(app.db, { startsIn: 2, spots: 4, venue_id: hall });
  const playerId = await ada(app.db);
  await joinGame(app.db, app.jobs, { gameId, playerId, now });
  now = new Date(NOW.getTime() + 3 * 3_600_000);
});

type Report = ReportView & { key: string; files: ReturnType<typeof filePaths> };
interface Page {
  reports: Report[];
  filter: object;
  since: string;
}
async function open(search = ""): Promise<Page> {
  const { status, data } = await visit(app, overview, { path: `/admin${search}`, cookie });
  expect(status).toBe(200);
  return data as Page;
}
const report = ({ reports }: Page, name: string) => reports.find(({ key }) => key === name)!;

test("shows twelve weeks of every metric, the newest first in the table", async () => {
  const page = await open();
  expect(page).toMatchObject({ filter: { weeks: 12, venueId: null }, since: "Aug 31" });
  const { title, found, files } = report(page, "games");
  expect([title, files.csv]).toEqual(["Games and fill rate", "/admin/overview/games.csv"]);
  expect(found).toMatchObject({
    headline: "1 game",
    note: "in these weeks, 25 % of their spots taken",
    columns: ["Games", "Spots taken", "Spots", "Fill rate"],
  });
  expect(found!.weeks).toHaveLength(12);
  expect(found!.weeks.slice(0, 2)).toEqual([
    { day: "Nov 16", cells: ["1", "1", "4", "25 %"] },
    { day: "Nov 9", cells: ["0", "0", "0", "–"] },
  ]);
  expect(found!.chart).toMatchObject({ series: ["Spots taken", "Spots"] });
  expect(found!.chart!.weeks.at(-1)).toEqual({ day: "Nov 16", values: [1, 4], texts: ["1", "4"] });
});

// spec: 2.130
test("what has no data behind it yet is coming soon; what is only blank is not", async () => {
  const page = await open();
  const coming = page.reports.filter(({ found }) => !found).map(({ key }) => key);
  expect(coming).toEqual(["income", "cash", "no-shows", "waitlists", "rating"]);
  const other = await aVenue(app.db);
  const blank = report(await open(`?venue=${other}`), "games").found!;
  expect([blank.headline, blank.note, blank.chart]).toEqual(["0 games", "in these weeks", null]);
});

test("takes the filter from the address; nonsense counts as not given", async () => {
  const page = await open(`?weeks=4&venue=${hall}`);
  expect(page.filter).toEqual({ weeks: 4, venueId: hall });
  const { found, files } = report(page, "active-players");
  expect(found!.weeks).toHaveLength(4);
  const search = `?weeks=4&venue=${hall}`;
  expect(files).toEqual({
    xlsx: `/admin/overview/active-players.xlsx${search}`,
    csv: `/admin/overview/active-players.csv${search}`,
  });
  const odd = await open("?weeks=4000&venue='");
  expect(odd.filter).toEqual({ weeks: 12, venueId: null });
});

async function download(path: string, name: string) {
  const request = new Request(`http://kickabout.test${path}`, { headers: { Cookie: cookie } });
  const params = { metric: name };
  const context = requestContext(app);
  const args = { request, context, params, url: new URL(request.url), pattern: "" };
  const response = (await sessionMiddleware(args, () => file(args as never))) as Response;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
  return { response, text };
}

test("a metric as a file has plain numbers and no formula", async () => {
  const path = `/admin/overview/games.csv?weeks=4&venue=${hall}`;
  const { response, text } = await download(path, "games");
  expect(text).toBe(
    "\uFEFFWeek from,Venue,Games,Spots taken,Spots,Fill rate\r\n" +
      "2026-11-16,'=HYPERLINK(1),1,1,4,25\r\n" +
      "2026-11-09,'=HYPERLINK(1),0,0,0,\r\n" +
      "2026-11-02,'=HYPERLINK(1),0,0,0,\r\n" +
      "2026-10-26,'=HYPERLINK(1),0,0,0,\r\n",
  );
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="games-2026-11-21.csv"',
    "cache-control": "private, no-store",
  });
});

test("credits in a file are amounts; a metric without data has its heading alone", async () => {
  const credits = await download("/admin/overview/credits.csv?weeks=4", "credits");
  expect(credits.text.split("\r\n", 1)[0]).toBe("\uFEFFWeek from,Added,Gone,Outstanding");
  expect(credits.text).toMatch(/\r\n2026-11-16,[\d.]+,[\d.]+,90\.00\r\n/);
  const rating = await download("/admin/overview/rating.csv", "rating");
  expect(rating.text).toBe("\uFEFFWeek from,Reviews,Average\r\n");
});

test("an unknown metric is not found", async () => {
  const { response } = await download("/admin/overview/luck.csv", "luck");
  expect(response.status).toBe(404);
});
