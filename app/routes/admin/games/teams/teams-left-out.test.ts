import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { textOf } from "#test/screen.tsx";
import { teamsOf } from "#test/teams.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";

// Players who have not come, on the page of a game's teams.
const database = useDatabase();
const teams = teamsOf(database);
let app: App;
let ask: AskSite;
let cookie: string;
let now = NOW;
beforeAll(async () => {
  app = testApp(database, () => now);
  ask = await openSite(app);
  ({ cookie } = await anAdmin(app));
});

const pathOf = (gameId: string) => `/admin/games/${gameId}/teams`;
async function open(path: string) {
  const html = await (await ask(path, { cookie })).text();
  return html.replaceAll(/<script[\s\S]*?<\/script>/g, "");
}

test("a player who did not come is said to be left out, and no team is offered", async () => {
  const { gameId, bookings } = await teams.aGameOf(5, { startsIn: 1 });
  const mark = (attendance: "NoShow" | null) =>
    app.db.updateTable("bookings").set({ attendance }).where("id", "=", bookings[0]!).execute();
  await mark("NoShow");
  await teams.make(gameId);
  for (const attendance of ["NoShow", null] as const) {
    await mark(attendance);
    const html = await open(pathOf(gameId));
    expect(textOf(html).includes(" · 1 no-show left out|")).toBe(attendance !== null);
    now = hoursLater(2);
    const result = textOf(await open(`/admin/games/${gameId}`));
    now = NOW;
    expect(result).toContain("|Not in a team|");
    expect(result.includes("Place them in a team")).toBe(attendance === null);
  }
});

test("only as many teams are offered as there are players who have come for", async () => {
  const { gameId, bookings } = await teams.aGameOf(6, { startsIn: 1 });
  const page = () => open(pathOf(gameId));
  const options = (html: string) =>
    [...html.matchAll(/<option[^>]*>([^<]*)/g)].map(([, text]) => text);
  const doNotCome = (ids: string[]) =>
    app.db.updateTable("bookings").set({ attendance: "NoShow" }).where("id", "in", ids).execute();
  await doNotCome(bookings.slice(0, 1));
  expect(options(await page())).toEqual(["2 teams"]);
  await doNotCome(bookings.slice(1, 3));
  expect(textOf(await page())).toContain("Teams need at least 4 players; 3 players so far.");
});
