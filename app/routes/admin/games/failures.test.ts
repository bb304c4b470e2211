import { sql } from "kysely";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { buttonsOf, renderPage, textOf } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import * as edit from "#app/routes/admin/games/plan/edit.tsx";
import * as fresh from "#app/routes/admin/games/plan/new.tsx";
import * as show from "./show.tsx";

const database = useDatabase();
let app: App;
let now = NOW;
let cookie = "";
beforeAll(async () => {
  app = testApp(database, () => now);
  ({ cookie } = await anAdmin(app));
});
beforeEach(() => {
  now = NOW;
  vi.spyOn(log, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

/** Runs it while one table is not there, so that what writes to it breaks. */
async function without<T>(table: "games" | "audit_log", run: () => Promise<T>): Promise<T> {
  const away = sql.table(`${table}_away`);
  await sql`alter table ${sql.table(table)} rename to ${sql.ref(`${table}_away`)}`.execute(app.db);
  try {
    return await run();
  } finally {
    await sql`alter table ${away} rename to ${sql.ref(table)}`.execute(app.db);
  }
}

test("a game that cannot be stored keeps its form as it was typed", async () => {
  const gameId = await aGame(app.db);
  const at = { path: `/admin/games/${gameId}/edit`, cookie };
  const { data } = await visit(app, edit.loader, at);
  const { values } = data as { values: Record<string, string> };
  const typed = { ...values, title: "Typed", version: "1" };
  const path = "/admin/games/new";
  const blank = await visit(app, fresh.loader, { path, cookie });
  const [saved, made] = await without("games", async () => [
    await visit(app, edit.action, { ...at, body: { ...typed, intent: "save" } }),
    await visit(app, fresh.action, { path, cookie, body: { ...typed, intent: "draft" } }),
  ]);
  const formError = "Nothing was saved. Please try again.";
  expect(saved).toMatchObject({
    status: 500,
    data: { title: "Failed to save game", formError, values: { title: "Typed" } },
  });
  expect(made).toMatchObject({
    status: 500,
    data: { title: "Failed to create game", formError, values: { title: "Typed" } },
  });
  const html = renderPage(fresh.default, { loaderData: blank.data, actionData: made!.data });
  const [, summary = ""] = html.split('role="alert"');
  expect(textOf(summary)).toContain(`|Failed to create game|${formError}|`);
  expect(html).toContain('value="Typed"');
});

type Fields = Record<string, string>;

/** A game that began two hours ago with Ada in it, and the page of it. */
async function aRoster() {
  const [gameId, playerId] = [await aGame(app.db, { startsIn: 1 }), await ada(app.db)];
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now });
  if (!joined.ok) throw new Error(joined.reason);
  now = hoursLater(3);
  const at = { path: `/admin/games/${gameId}`, cookie };
  const post = async (body: Fields) => {
    const { status, data } = await visit(app, show.action, { ...at, body });
    return { status, data: data as FormResult };
  };
  const page = async (actionData: FormResult) => {
    const { data } = await visit(app, show.loader, at);
    return renderPage(show.default, { loaderData: data, actionData });
  };
  return { gameId, bookingId: joined.bookingId, post, page };
}

test.each<[string, string, Fields, RegExp]>([
  ["cancel", "Failed to cancel game", {}, /<dialog id="cancel-game" open/],
  [
    "result",
    "Failed to save result",
    { firstScore: "7", secondScore: "5" },
    /id="firstScore"[^>]*value="7".*id="goals-[^>]*value="3"/,
  ],
  [
    "message",
    "Failed to send message",
    { subject: "Typed", message: "Typed too" },
    /<dialog id="message-all" open.*value="Typed".*Typed too/s,
  ],
  [
    "remove",
    "Failed to remove player",
    { refund: "none" },
    /<dialog id="remove-[^>]* open.*<input type="radio"[^>]*checked="" value="none"/,
  ],
])("%s that cannot be stored says so in its form and keeps what was typed", async (...each) => {
  const [intent, title, typed, shown] = each;
  const { bookingId, post, page } = await aRoster();
  const messageId = crypto.randomUUID();
  const body = { intent, bookingId, messageId, [`goals-${bookingId}`]: "3", ...typed };
  const { status, data } = await without("audit_log", () => post(body));
  const formError = "Please try again.";
  expect([status, data]).toMatchObject([500, { form: intent, title, formError }]);
  expect(data.values ?? {}).toMatchObject(typed);
  const html = await page(data);
  expect(html).toMatch(shown);
  expect(html.split('role="alert"')).toHaveLength(2);
});

test.each<[string, string]>([
  ["publish", "Failed to publish game"],
  ["unpublish", "Failed to unpublish game"],
  ["unpublish-following", "Failed to unpublish game"],
])("%s that cannot be stored says so on the page", async (intent, title) => {
  const status = intent === "publish" ? "Draft" : "Published";
  const at = { path: `/admin/games/${await aGame(app.db, { status })}`, cookie };
  const failed = await without("audit_log", () =>
    visit(app, show.action, { ...at, body: { intent } }),
  );
  expect(failed).toMatchObject({ status: 500, data: { form: intent, title } });
  const { data: loaderData } = await visit(app, show.loader, at);
  const html = renderPage(show.default, { loaderData, actionData: failed.data });
  expect(textOf(html)).toContain(`|${title}|Please try again.|`);
});

test("a player who cannot be added stays in the form by name", async () => {
  const { post, page } = await aRoster();
  const name = `Zoe ${crypto.randomUUID()}`.slice(0, 20);
  await aPlayer(app.db, { name });
  const { last_name } = await app.db
    .selectFrom("profiles")
    .select("last_name")
    .where("first_name", "=", name)
    .executeTakeFirstOrThrow();
  const who = `${name} ${last_name}`;
  const { status, data } = await without("audit_log", () => post({ intent: "add", who }));
  expect([status, data]).toMatchObject([500, { title: "Failed to add player", values: { who } }]);
  expect(await page(data)).toMatch(new RegExp(`id="who"[^>]*value="${who}"`));
});

test("a tap that cannot be stored is not saved, as a form and by script", async () => {
  const { bookingId, gameId, post } = await aRoster();
  const tap = { intent: "attendance", bookingId, from: "", to: "CheckedIn" };
  const site = await openSite(app);
  await without("audit_log", async () => {
    expect(await post(tap)).toMatchObject({
      status: 500,
      data: { title: "Failed to save attendance", formError: "Not saved. Try again" },
    });
    const body = new URLSearchParams(tap);
    const response = await site(`/admin/games/${gameId}/tap`, { cookie, body });
    expect([response.status, await response.json()]).toEqual([
      500,
      { ok: false, problem: "Not saved. Try again" },
    ]);
  });
  const after = app.db.selectFrom("bookings").select("attendance").where("id", "=", bookingId);
  expect(await after.executeTakeFirst()).toEqual({ attendance: null });
});

test("a game that is cancelled already says so on the page, whose dialog is gone", async () => {
  const gameId = await aGame(app.db);
  const at = { path: `/admin/games/${gameId}`, cookie };
  await visit(app, show.action, { ...at, body: { intent: "cancel" } });
  const { status, data } = await visit(app, show.action, { ...at, body: { intent: "cancel" } });
  const { data: loaderData } = await visit(app, show.loader, at);
  const html = renderPage(show.default, { loaderData, actionData: data });
  expect(status).toBe(409);
  expect(textOf(html)).toContain(
    "|Failed to cancel game|It was cancelled already, or is completed.|",
  );
  expect(buttonsOf(html)).not.toContain("Cancel game");
});
