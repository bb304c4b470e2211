import { describe, expect, test } from "vitest";
import { useOrganiserForms } from "#test/organiser-forms.ts";
import { aGameToDecide } from "#test/decisions.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

// Publishing, deleting and the decision to play, after somebody else has changed the game.
const games = useOrganiserForms();
const { formOf, send, change, statusesOf, aSeries, elsewhere } = games;

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
    const { series_id } = await games.app.db
      .selectFrom("games")
      .select("series_id")
      .where("id", "=", first)
      .executeTakeFirstOrThrow();
    const third = await aGame(games.app.db, { startsIn: 96, series_id, venue_id, status: "Draft" });
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
  const { gameId } = await aGameToDecide(games.database, 1);
  const path = `/admin/games/${gameId}`;
  const fields = await formOf(path, "play-anyway");
  await joinGame(games.app.db, games.app.jobs, {
    gameId,
    playerId: await ada(games.app.db),
    now: NOW,
  });
  const { status, text } = await send(path, fields);
  expect(status).toBe(409);
  expect(text).toContain("Not saved: others are in by now.");
  expect(text).toContain("2 players are in, are notified by email");
  expect((await send(path, await formOf(path, "play-anyway"))).status).toBe(302);
});
