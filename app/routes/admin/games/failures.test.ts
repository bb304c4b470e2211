import { sql } from "kysely";
import { expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { renderPage, textOf } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { aGame, NOW } from "#test/fixtures.ts";
import * as edit from "./edit.tsx";
import * as fresh from "./new.tsx";

const database = useDatabase();

test("what breaks on our side is said, and the form stays as it was typed", async () => {
  const app = testApp(database, () => NOW);
  const { cookie } = await anAdmin(app);
  const gameId = await aGame(app.db);
  const at = { path: `/admin/games/${gameId}/edit`, cookie };
  const { data } = await visit(app, edit.loader, at);
  const { values } = data as { values: Record<string, string> };
  const typed = { ...values, title: "Typed", version: "1" };
  const path = "/admin/games/new";
  const blank = await visit(app, fresh.loader, { path, cookie });
  await sql`alter table games rename to games_away`.execute(app.db);
  const saved = await visit(app, edit.action, { ...at, body: { ...typed, intent: "save" } });
  const made = await visit(app, fresh.action, {
    path,
    cookie,
    body: { ...typed, intent: "draft" },
  });
  for (const answer of [saved, made]) {
    expect(answer).toMatchObject({
      status: 500,
      data: { errors: { "": "Nothing was saved. Please try again." }, values: { title: "Typed" } },
    });
  }
  const html = renderPage(fresh.default, { loaderData: blank.data, actionData: made.data });
  const [, summary = ""] = html.split('role="alert"');
  expect(textOf(summary)).toContain("|There is a problem|Nothing was saved. Please try again.|");
  expect(html).toContain('value="Typed"');
});
