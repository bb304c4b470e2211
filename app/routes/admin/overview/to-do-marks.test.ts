import { sql } from "kysely";
import { RouterContextProvider } from "react-router";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase, watchQueries } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { textOf } from "#test/screen.tsx";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { log } from "#app/platform/log.server.ts";
import { type App, appContext } from "#app/routes/context.server.ts";
import { toDoMarks } from "#app/routes/admin/to-do.server.ts";

// What the navigation counts before every page of an organiser.
const database = useDatabase();
withoutTimeouts(database);
let app: App;
let ask: AskSite;
let cookie: string;
let gameId: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  cookie = (await anAdmin(app)).cookie;
  ask = await openSite(app);
  gameId = await aGame(app.db, { startsIn: 0.5 });
  const playerId = await ada(app.db);
  await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  await app.db
    .insertInto("support_messages")
    .values({ user_id: playerId, subject: "Shoes", message: "Blue ones." })
    .execute();
});

const MARKS = /\d to do|\d <span class="sr-only">open/;
const pages = () => [`/admin/games/${gameId}`, "/events", `/events/${gameId}`];
async function read(path: string) {
  const response = await ask(path, { cookie });
  return { status: response.status, html: await response.text() };
}

/** Each page is there, with its game, and without a mark. */
async function expectPages(paths = pages()) {
  for (const page of paths) {
    const { status, html } = await read(page);
    expect([page, status]).toEqual([page, 200]);
    expect(html).toContain("Campus Hall");
    expect(html).not.toMatch(MARKS);
  }
}

test("an organiser's pages and a player's have the marks", async () => {
  for (const page of pages()) expect((await read(page)).html).toMatch(MARKS);
});

describe("no page is lost for want of a mark", () => {
  test("where counting fails", async () => {
    const warn = vi.spyOn(log, "warn").mockReturnValue();
    await database.pool.query("alter table withdrawals rename to withdrawals_away");
    await expectPages();
    await database.pool.query("alter table withdrawals_away rename to withdrawals");
    expect(warn).toHaveBeenCalledTimes(pages().length);
    warn.mockRestore();
  });

  test("the overview says so, has the rest, and logs it once", async () => {
    const warn = vi.spyOn(log, "warn").mockReturnValue();
    await database.pool.query("alter table withdrawals rename to withdrawals_away");
    const { status, html } = await read("/admin");
    await database.pool.query("alter table withdrawals_away rename to withdrawals");
    const text = textOf(html);
    expect(status).toBe(200);
    expect(text).toContain("|To do|What is to be done could not be counted now.|Try Again|");
    for (const part of ["Today", "Metrics"]) expect(text).toContain(`|${part}|`);
    expect(warn.mock.calls.map(([, message]) => message)).toEqual([
      "what is to do was not counted",
    ]);
    warn.mockRestore();
  });

  test("while counting waits", async () => {
    const warn = vi.spyOn(log, "warn").mockReturnValue();
    // The lock is held until the page has been read.
    await app.db.transaction().execute(async (tx) => {
      await sql`lock table withdrawals in access exclusive mode`.execute(tx);
      // Outside a request, whose own time limits the database as well.
      expect(await toDoMarks(aRequest())).toEqual({ toDo: null, openTickets: null });
      await expectPages([`/admin/games/${gameId}`]);
    });
    warn.mockRestore();
  });
});

function aRequest() {
  const context = new RouterContextProvider();
  context.set(appContext, app);
  return context;
}

test("they are counted on one connection at a time", async () => {
  let [open, most] = [0, 0];
  const taken = () => void (most = Math.max(most, (open += 1)));
  const released = () => void (open -= 1);
  database.pool.on("acquire", taken).on("release", released);
  expect((await toDoMarks(aRequest())).openTickets).toBe("1");
  database.pool.off("acquire", taken).off("release", released);
  expect(most).toBe(1);
});

test("what is owed is counted once for the list of games and its navigation", async () => {
  const counts: string[] = [];
  const db = watchQueries(app.db, (query) => {
    const text = query.kind === "RawNode" ? query.sqlFragments.join("?") : "";
    if (/is_over as "isOver"|as payments/.test(text)) counts.push(text);
  });
  const site = await openSite({ ...app, db });
  expect((await site("/admin/games", { cookie })).status).toBe(200);
  expect(counts).toHaveLength(2);
});
