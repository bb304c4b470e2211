import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { buttonsOf, renderPage } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { aGame, NOW } from "#test/fixtures.ts";
import type { App } from "#app/routes/context.server.ts";
import AdminGame, { action, loader } from "./show.tsx";

const database = useDatabase();
let app: App;
let cookie: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie } = await anAdmin(app));
});

const at = (gameId: string) => ({ path: `/admin/games/${gameId}`, cookie });
async function page(gameId: string): Promise<string> {
  const { data } = await visit(app, loader, at(gameId));
  return renderPage(AdminGame, { loaderData: data });
}

test("a game that has begun does not go back into the drafts", async () => {
  const [begun, ahead] = [await aGame(app.db, { startsIn: -3 }), await aGame(app.db)];
  expect(buttonsOf(await page(ahead))).toContain("Unpublish");
  expect(buttonsOf(await page(begun))).not.toContain("Unpublish");
  const body = { intent: "unpublish" };
  const { status, data } = await visit(app, action, { ...at(begun), body });
  expect([status, data]).toEqual([
    409,
    expect.objectContaining({ formError: "Its kick-off is over, so it stays as it was." }),
  ]);
});

test("who calls off a game that has begun is asked whether it was played", async () => {
  const words = "cancel it only if it was not played";
  expect(await page(await aGame(app.db, { startsIn: -3 }))).toContain(words);
  expect(await page(await aGame(app.db))).not.toContain(words);
});
