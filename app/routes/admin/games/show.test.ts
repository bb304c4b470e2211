import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { buttonsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { aGame, NOW } from "#test/fixtures.ts";
import type { App } from "#app/routes/context.server.ts";
import { DECISION_OVER } from "./decision-view.server.ts";
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

test("the players come before what is known of the game, whatever its state", async () => {
  const cancelled = await aGame(app.db);
  await visit(app, action, { ...at(cancelled), body: { intent: "cancel" } });
  const states = {
    draft: await aGame(app.db, { status: "Draft" }),
    ahead: await aGame(app.db),
    "match day": await aGame(app.db, { startsIn: 0.5 }),
    played: await aGame(app.db, { startsIn: -30 }),
    cancelled,
  };
  for (const [state, gameId] of Object.entries(states)) {
    const text = textOf(await page(gameId));
    const [players, facts] = [text.indexOf("|Players|"), text.indexOf("|Seats taken|")];
    expect([players > 0, facts > players], state).toEqual([true, true]);
  }
});

test("a draft whose minimum would be decided by now says so instead of a button that fails", async () => {
  const minimum = { status: "Draft" as const, startsIn: 10, min_players: 3 };
  const [late, early] = [
    await aGame(app.db, { ...minimum, decides_hours: 12 }),
    await aGame(app.db, { ...minimum, decides_hours: 4 }),
  ];
  expect(buttonsOf(await page(early))).toContain("Publish");
  expect(buttonsOf(await page(late))).not.toContain("Publish");
  expect(textOf(await page(late))).toContain(DECISION_OVER);
  const { data } = await visit(app, action, { ...at(late), body: { intent: "publish" } });
  expect(data).toMatchObject({ formError: DECISION_OVER });
});

test("a chat that is deleted has no button", async () => {
  const link = (gameId: string) => `Chat → /events/${gameId}/chat#latest`;
  const [kept, deleted] = [
    await aGame(app.db, { startsIn: -24 * 89 }),
    await aGame(app.db, { startsIn: -24 * 91 }),
  ];
  expect(linksOf(await page(kept))).toContain(link(kept));
  expect(linksOf(await page(deleted))).not.toContain(link(deleted));
});

test("who calls off a game that has begun is asked whether it was played", async () => {
  const words = "cancel it only if it was not played";
  expect(await page(await aGame(app.db, { startsIn: -3 }))).toContain(words);
  expect(await page(await aGame(app.db))).not.toContain(words);
});
