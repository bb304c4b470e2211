import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { aChat, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { NOW } from "#test/fixtures.ts";
import { linksOf, textOf } from "#test/screen.tsx";
import { type AskSite, openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let ask: AskSite;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ask = await openSite(app);
});

test("what players write is counted for each organiser until that one opens the chat", async () => {
  const [mine, other] = [await anAdmin(app), await anAdmin(app)];
  const writer = await aChat(database);
  const { gameId } = writer;
  const read = async (path: string, { cookie } = mine) =>
    (await (await ask(path, { cookie })).text()).replaceAll("<!-- -->", "");
  const chat = `/events/${gameId}/chat#latest`;
  const page = `/admin/games/${gameId}`;
  expect(linksOf(await read(page))).toContain(`Chat → ${chat}`);
  await say(app.db, writer);
  await say(app.db, writer);
  expect(linksOf(await read(page))).toContain(`Chat 2 unread → ${chat}`);
  expect(textOf(await read("/admin/games"))).toContain("2 unread messages|");
  const ofOverview = linksOf(await read("/admin")).filter((link) => link.endsWith(chat));
  expect(ofOverview).toEqual([expect.stringContaining("2 unread messages")]);
  await read(`/events/${gameId}/chat`);
  expect(linksOf(await read(page))).toContain(`Chat → ${chat}`);
  expect(textOf(await read("/admin"))).not.toContain("unread messages");
  expect(linksOf(await read(page, other))).toContain(`Chat 2 unread → ${chat}`);
});
