import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, NOW } from "#test/fixtures.ts";
import { renderPage } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";
import * as fresh from "./new.tsx";
import * as edit from "./edit.tsx";

const database = useDatabase();
let app: App;
let cookie = "";
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie } = await anAdmin(app));
});

type Form = Record<string, string>;
type New = { values: Form; formKey: string; continues: string | null; filledFrom: string };

const NEW = "/admin/games/new";
async function open(search = "") {
  const { data } = await visit(app, fresh.loader, { path: `${NEW}${search}`, cookie });
  return data as unknown as New;
}
async function send(form: Form) {
  const body = { intent: "publish", ...form };
  const { status, headers, data } = await visit(app, fresh.action, { path: NEW, cookie, body });
  return { status, gameId: headers.get("Location")?.split("/").at(-1) ?? "", data };
}
async function datesOf(gameId: string) {
  const game = app.db.selectFrom("games").select("series_id").where("id", "=", gameId);
  const { series_id } = await game.executeTakeFirstOrThrow();
  const all = app.db.selectFrom("games").select(["date", "id"]).orderBy("date");
  return all.where("series_id", "=", series_id).execute();
}

/** On Thursdays: "2026-12-24" is Christmas Eve. */
async function aSeries(more: Form = {}) {
  const venueId = await aVenue(app.db);
  const { values } = await open();
  const dates = { date: "2026-12-03", startTime: "19:00", endTime: "20:30" };
  return { ...values, ...dates, venueId, weeks: "4", leftOut: "2026-12-24", ...more };
}

test("a series leaves out the dates that its form names", async () => {
  const { gameId } = await send(await aSeries());
  const days = (await datesOf(gameId)).map(({ date }) => date);
  expect(days).toEqual(["2026-12-03", "2026-12-10", "2026-12-17"]);
});

test("a form without a date that is played creates nothing", async () => {
  const out = "2026-12-03,2026-12-10,2026-12-17,2026-12-24";
  const { status, data } = await send(await aSeries({ leftOut: out }));
  expect(status).toBe(422);
  expect(data).toMatchObject({ fieldErrors: { weeks: expect.stringContaining("left out") } });
});

test("“More weeks” goes on with the same series, and an edit of the following goes over the seam", async () => {
  const { gameId } = await send(await aSeries());
  const page = await open(`?more=${gameId}`);
  expect(page).toMatchObject({ continues: gameId, values: { date: "2026-12-24", weeks: "4" } });
  const { formKey, values } = page;
  const form = { ...values, formKey, weeks: "2", leftOut: "2026-12-24", continues: gameId };
  for (let n = 0; n < 2; n += 1) {
    expect(await send(form)).toMatchObject({ status: 302, gameId: formKey });
  }
  const series = await datesOf(gameId);
  expect(series.map(({ date }) => date).slice(-2)).toEqual(["2026-12-17", "2026-12-31"]);
  expect(series).toHaveLength(4);
  const other = { ...form, leftOut: "2026-12-31" };
  expect((await send(other)).status).toBe(409);

  const at = { path: `/admin/games/${gameId}/edit`, cookie, params: { gameId } };
  const body = { ...values, date: "2026-12-03", title: "Renamed", scope: "following" };
  const saved = { ...body, intent: "save", version: "1", formKey: crypto.randomUUID() };
  await visit(app, edit.action, { ...at, body: saved });
  const titles = app.db.selectFrom("games").select("title").where("id", "=", formKey);
  expect(await titles.executeTakeFirst()).toEqual({ title: "Renamed" });
});

test("a game without a series is not prolonged", async () => {
  const single = await aGame(app.db, { startsIn: 24 });
  expect(await open(`?more=${single}`)).toMatchObject({ continues: null });
  const form = await aSeries({ continues: single });
  expect((await send(form)).status).toBe(404);
});

test("without scripts the dates are chosen in a second step, holidays ticked", async () => {
  const form = await aSeries({ weeks: "5", leftOut: "", shownDates: "" });
  const { status, data } = await send(form);
  expect(status).toBe(422);
  expect(data).toMatchObject({ fieldErrors: { weeks: expect.stringContaining("Tick those") } });
  const html = renderPage(fresh.default, { loaderData: await open(), actionData: data });
  const boxes = [...html.matchAll(/<input type="checkbox"[^>]*name="leftOut"[^>]*>/g)].map(
    ([box]) => [/value="([^"]*)"/.exec(box)![1], box.includes("checked")],
  );
  expect(boxes).toEqual([
    ["2026-12-03", false],
    ["2026-12-10", false],
    ["2026-12-17", false],
    ["2026-12-24", true],
    ["2026-12-31", false],
  ]);
  const shownDates = boxes.map(([date]) => date).join(",");
  // Christmas is played and the 10th and the 31st are not: boxes of one name.
  const body = new URLSearchParams({ intent: "publish", ...form, shownDates });
  body.delete("leftOut");
  for (const date of ["2026-12-10", "2026-12-31"]) body.append("leftOut", date);
  const sent = await visit(app, fresh.action, { path: NEW, cookie, body });
  const gameId = sent.headers.get("Location")?.split("/").at(-1) ?? "";
  const days = (await datesOf(gameId)).map(({ date }) => date);
  expect(days).toEqual(["2026-12-03", "2026-12-17", "2026-12-24"]);
});

test("a choice of dates comes back with a form that has errors", async () => {
  const shownDates = "2026-12-03,2026-12-10,2026-12-17,2026-12-24";
  // The 10th is left out, Christmas is not.
  const form = await aSeries({ title: "", leftOut: "2026-12-10", shownDates });
  const { status, data } = await send(form);
  expect(status).toBe(422);
  const html = renderPage(fresh.default, { loaderData: await open(), actionData: data });
  const ticked = [...html.matchAll(/<input type="checkbox"[^>]*name="leftOut"[^>]*>/g)].filter(
    ([box]) => box.includes("checked"),
  );
  expect(ticked.map(([box]) => box)).toEqual([expect.stringContaining('value="2026-12-10"')]);
});

test("holidays are proposed to be left out, in the page as the server sends it too", async () => {
  const { gameId } = await send(await aSeries());
  const read = await openSite(app);
  const page = await (await read(`${NEW}?more=${gameId}`, { cookie })).text();
  expect(page).toMatch(
    /<input type="checkbox"[^>]*name="leftOut"[^>]*checked=""[^>]*value="2026-12-24"/,
  );
  expect(page).toContain("Dec 24, Christmas Eve");
  expect(await (await read(`/admin/games/${gameId}`, { cookie })).text()).toContain(
    `/admin/games/new?more=${gameId}`,
  );
});
