import { beforeAll, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGameToDecide } from "#test/decisions.ts";
import { ada, aGame, aVenue, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { textOf } from "#test/screen.tsx";
import { openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";

// Publishing, deleting and the decision to play, after somebody else has changed the game.
const database = useDatabase();
withoutTimeouts(database);
let app: App;
let cookie = "";
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie } = await anAdmin(app));
});

async function formOf(path: string, intent: string): Promise<Record<string, string>> {
  const html = await (await (await openSite(app))(path, { cookie })).text();
  const forms = html.split("<form").map((part) => part.split("</form>")[0]!);
  const form = forms.find((part) => part.includes(`name="intent" value="${intent}"`))!;
  const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const fields = [...inputs].map(([, name, value]) => [name, value!.replaceAll("&amp;", "&")]);
  return Object.fromEntries(fields);
}
async function send(path: string, fields: Record<string, string> | [string, string][]) {
  const body = new URLSearchParams(fields);
  const response = await (await openSite(app))(path, { cookie, body });
  const html = (await response.text()).replaceAll(/<script\b.*?<\/script>/gs, "");
  return { status: response.status, text: textOf(html) };
}
const change = (id: string, columns: Parameters<typeof aGame>[1]) => {
  const { startsIn: _, ...set } = columns ?? {};
  return app.db.updateTable("games").set(set).where("id", "=", id).execute();
};
async function statusesOf(ids: string[]) {
  const games = app.db.selectFrom("games").select(["id", "status"]).where("id", "in", ids);
  const found = await games.execute();
  return ids.map((id) => found.find((game) => game.id === id)?.status);
}
async function aSeries(wish: Parameters<typeof aGame>[1] = {}) {
  const [series_id, venue_id] = [crypto.randomUUID(), await aVenue(app.db)];
  const ids = await Promise.all(
    [48, 72].map((startsIn) => aGame(app.db, { startsIn, series_id, venue_id, ...wish })),
  );
  return { ids, first: ids[0]!, second: ids[1]!, venue_id };
}
const elsewhere = async () => ({ venue_id: await aVenue(app.db, { name: "Harbour Hall" }) });

describe("nothing is published or taken back that was changed since its page was opened", () => {
  test.each(["publish", "publish-following", "unpublish", "unpublish-following"])(
    "%s",
    async (intent) => {
      const status = intent.startsWith("un") ? "Published" : "Draft";
      const { ids, first, second } = await aSeries({ status });
      const path = `/admin/games/${first}`;
      const fields = await formOf(path, intent);
      const isBoth = intent.endsWith("following");
      await change(isBoth ? second : first, await elsewhere());
      const rejected = await send(path, fields);
      expect([rejected.status, await statusesOf(ids)]).toEqual([409, [status, status]]);
      expect(rejected.text).toMatch(
        /Nothing was changed, because what this page showed has. Now: .*, Nov 2\d, 2026, .* at Harbour Hall, /,
      );
      const again = await send(path, await formOf(path, intent));
      expect(again.status).toBe(302);
      expect(await statusesOf([isBoth ? second : first])).not.toEqual([status]);
      expect((await send(path, fields)).status).toBe(302);
    },
  );

  test("a draft that was added to the series", async () => {
    const { first, venue_id } = await aSeries({ status: "Draft" });
    const path = `/admin/games/${first}`;
    const fields = await formOf(path, "publish-following");
    const { series_id } = await app.db
      .selectFrom("games")
      .select("series_id")
      .where("id", "=", first)
      .executeTakeFirstOrThrow();
    const third = await aGame(app.db, { startsIn: 96, series_id, venue_id, status: "Draft" });
    expect((await send(path, fields)).status).toBe(409);
    expect(await statusesOf([third])).toEqual(["Draft"]);
  });
});

describe("a game that was changed since it was shown is not deleted, and named", () => {
  test.each<[string, () => Promise<Parameters<typeof aGame>[1]>]>([
    ["its venue", elsewhere],
    ["its kick-off", async () => ({ date: "2026-11-25" })],
    ["its status", async () => ({ status: "Published" })],
  ])(
    "a game that was changed since it was shown is not deleted, and named: %s",
    async (_, changed) => {
      const { ids, first, second } = await aSeries({ status: "Draft" });
      await change(second, { title: "Late five" });
      const path = `/admin/games/${first}/delete?scope=following`;
      const fields = await formOf(path, "delete");
      await change(second, await changed());
      const { status, text } = await send(path, fields);
      expect(status).toBe(409);
      expect(text).toMatch(/Nothing was deleted: Late five, .*, Nov 2\d, 2026 has changed/);
      expect(await statusesOf([first])).toEqual(["Draft"]);
      expect((await send(path, await formOf(path, "delete"))).status).toBe(302);
      expect(await statusesOf(ids)).toEqual([undefined, undefined]);
    },
  );
});

test("who joins before it is decided to play anyway is asked about", async () => {
  const { gameId } = await aGameToDecide(database, 1);
  const path = `/admin/games/${gameId}`;
  const fields = await formOf(path, "play-anyway");
  await joinGame(app.db, app.jobs, { gameId, playerId: await ada(app.db), now: NOW });
  const { status, text } = await send(path, fields);
  expect(status).toBe(409);
  expect(text).toContain("Not saved: others are in by now.");
  expect(text).toContain("2 players are in, are notified by email");
  expect((await send(path, await formOf(path, "play-anyway"))).status).toBe(302);
});
