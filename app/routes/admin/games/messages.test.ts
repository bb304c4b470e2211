import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, hoursLater, NOW } from "#test/fixtures.ts";
import { openSite, type AskSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { messagePlayers } from "#app/features/organise/message-players.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { loadSentMessages } from "./messages-view.server.ts";

const database = useDatabase();
let app: App;
let ask: AskSite;
let admin: Awaited<ReturnType<typeof anAdmin>>;
beforeAll(async () => {
  app = testApp(database);
  admin = await anAdmin(app);
  ask = await openSite(app);
});

const join = (gameId: string, playerId: string) =>
  joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
const send = (gameId: string, subject: string, message: string, now = NOW) =>
  messagePlayers(app.db, app.jobs, {
    ...{ messageId: crypto.randomUUID(), gameId, actorId: admin.id, subject, message, now },
  });
const pageOf = async (gameId: string) => {
  const response = await ask(`/admin/games/${gameId}`, { cookie: admin.cookie });
  return (await response.text()).split("</main>")[0]!.replaceAll("<!-- -->", "");
};

test("the page of a game has what its players were sent: who wrote it, when, to how many", async () => {
  const [gameId, other] = [await aGame(app.db), await aGame(app.db)];
  await join(gameId, await ada(app.db));
  await send(gameId, "White shirts", "We play\nin <white>.");
  await join(gameId, await ada(app.db));
  await send(gameId, "Rain", "Bring a jacket.", hoursLater(1));
  const messages = await loadSentMessages(app.db, gameId);
  expect(messages).toMatchObject([
    { subject: "Rain", message: "Bring a jacket." },
    { subject: "White shirts", message: "We play\nin <white>." },
  ]);
  expect(messages.map(({ facts }) => facts)).toEqual([
    expect.stringMatching(/^Ben \w+, Nov 21, 2026, 13:00, to 2 players$/),
    expect.stringMatching(/^Ben \w+, Nov 21, 2026, 12:00, to 1 player$/),
  ]);
  const html = await pageOf(gameId);
  const part = html.slice(html.indexOf('id="messages"'));
  expect(part).toContain("We play\nin &lt;white&gt;.");
  expect(part.indexOf("Rain")).toBeLessThan(part.indexOf("White shirts"));
  expect(await pageOf(other)).not.toContain('id="messages"');
});

test("the log leads to them", async () => {
  const gameId = await aGame(app.db);
  await join(gameId, await ada(app.db));
  await send(gameId, "Shirts", "White ones.");
  const response = await ask(`/admin/log?subject=${gameId}`, { cookie: admin.cookie });
  const html = await response.text();
  expect(html).toContain(`href="/admin/games/${gameId}#messages"`);
  expect(html).not.toContain("White ones.");
});
