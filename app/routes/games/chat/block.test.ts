import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { memberOf, messagesOf, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { signIn, toastAfter } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { announceMessage } from "#app/features/chat/announce.server.ts";
import { blockAuthor, deleteBlocks } from "#app/features/chat/blocks.server.ts";
import { listUnread, markRead } from "#app/features/chat/unread.server.ts";
import { hiddenText } from "#app/features/chat/message-rules.ts";
import type { App } from "#app/routes/context.server.ts";

const FOLDED = hiddenText(1);
const database = useDatabase();
let app: App;
let ask: AskSite;
let gameId: string;
let path: string;
let reader: { userId: string; cookie: string };
let writer: { userId: string; cookie: string };
let messageId: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ask = await openSite(app);
});
beforeEach(async () => {
  gameId = await aGame(app.db);
  path = `/events/${gameId}/chat`;
  const member = async (name: string) => {
    const { userId } = await memberOf(database, gameId, name);
    return { userId, cookie: await signIn(app, userId) };
  };
  [writer, reader] = [await member("Aino"), await member("Bo")];
  messageId = randomUUID();
  await say(app.db, { gameId, ...writer }, { body: "You are all useless", messageId });
});

const block = (cookie: string, id = messageId) =>
  ask(path, { cookie, body: new URLSearchParams({ intent: "block", messageId: id }) });
const pageOf = async (address: string, { cookie } = reader) =>
  (await (await ask(address, { cookie })).text()).replaceAll("<!-- -->", "");
const blocks = () =>
  app.db.selectFrom("player_blocks").selectAll().where("blocked_id", "=", writer.userId).execute();

test("messages of a player whom one has blocked are hidden, and left out on the game's page", async () => {
  expect(await pageOf(path)).not.toContain(FOLDED);
  const { status, headers } = await block(reader.cookie);
  expect([status, headers.get("Location")]).toEqual([302, `${path}#message-${messageId}`]);
  const html = await pageOf(path);
  expect(html).toMatch(new RegExp(`<details[^>]*><summary[^>]*>${FOLDED}.*useless.*</details>`));
  const game = await pageOf(`/events/${gameId}`);
  expect(game).not.toMatch(/useless|blocked/);
  expect(game).toContain("This is your first game.");
  for (const page of [path, `/events/${gameId}`]) {
    expect(await pageOf(page, writer)).not.toContain(FOLDED);
  }
});

test("consecutive ones are one row, however far apart", async () => {
  for (const minutes of [1, 9]) {
    const now = hoursLater(minutes / 60);
    await say(app.db, { gameId, ...writer }, { body: `again ${minutes}`, now });
  }
  await block(reader.cookie);
  const html = await pageOf(path);
  expect(html.split(hiddenText(3))).toHaveLength(2);
  expect(html).not.toContain(FOLDED);
});

test("the block can be undone at the message, by a page without scripts and by one with", async () => {
  const post = (fields: Record<string, string>) =>
    ask(path, { cookie: reader.cookie, body: new URLSearchParams({ ...fields, messageId }) });
  const { headers } = await block(reader.cookie);
  const sent = await toastAfter(app, headers);
  expect(sent).toMatchObject({ title: expect.stringMatching(/^Aino Numberi+ is blocked$/) });
  expect(await pageOf(path)).toContain('value="unblock"');
  const { status, headers: back } = await post({ intent: "unblock" });
  expect([status, back.get("Location")]).toEqual([302, `${path}#message-${messageId}`]);
  expect(await toastAfter(app, back)).toMatchObject({ title: "Player unblocked" });
  expect(await blocks()).toEqual([]);
  const data = await ask(`${path}.data`, {
    cookie: reader.cookie,
    body: new URLSearchParams({ intent: "block", messageId, stay: "1" }),
  });
  expect([data.status, await data.text()]).toEqual([200, expect.stringContaining(messageId)]);
  expect(await blocks()).toHaveLength(1);
});

test("they are not unread; what an organiser writes to everybody is, and is never folded", async () => {
  const { userId } = reader;
  const unread = async () => (await listUnread(app.db, { userId, now: NOW })).get(gameId);
  await markRead(app.db, { gameId, userId, number: 2 });
  expect(await unread()).toBe(1);
  await block(reader.cookie);
  expect(await unread()).toBeUndefined();
  const announcement = { subject: "Pitch 2", message: "Pitch 1 is flooded", isPinned: false };
  await app.db
    .transaction()
    .execute((tx) =>
      announceMessage(tx, { gameId, actorId: writer.userId, ...announcement, now: NOW }),
    );
  expect(await unread()).toBe(1);
  expect((await pageOf(path)).split(FOLDED)).toHaveLength(2);
  expect(await pageOf(`/events/${gameId}`)).toContain("Pitch 2");
});

test("who may block: anybody who reads, another who writes, and twice is once", async () => {
  const admin = await signIn(app, (await anAdmin(app)).id);
  const welcome = (await messagesOf(app.db, gameId))[0]!.id;
  const statuses = [
    ...[await block(writer.cookie), await block(reader.cookie, welcome)],
    ...[await block(reader.cookie, randomUUID()), await block("")],
    await block(await signIn(app, await aPlayer(app.db))),
  ].map(({ status }) => status);
  expect(statuses).toEqual([403, 403, 404, 302, 403]);
  expect(await blocks()).toEqual([]);
  await Promise.all([block(reader.cookie), block(reader.cookie), block(admin)]);
  expect(await blocks()).toHaveLength(2);
  await app.db.transaction().execute((tx) => deleteBlocks(tx, writer.userId));
  expect(await blocks()).toEqual([]);
});

test("nobody blocks in a chat that they may not read", async () => {
  const stranger = { gameId, messageId, userId: await aPlayer(app.db), now: NOW };
  expect(await blockAuthor(app.db, stranger)).toEqual({ ok: false, reason: "not-in" });
  expect(await blocks()).toEqual([]);
});

test("the settings list who is blocked, and unblock; only one's own", async () => {
  const settings = "/settings/blocked";
  expect(await pageOf(settings)).toContain("You have blocked nobody.");
  await block(reader.cookie);
  expect(await pageOf(settings)).toContain("Unblock Aino");
  expect(await pageOf(settings, writer)).toContain("You have blocked nobody.");
  const unblock = (cookie: string, playerId = writer.userId) =>
    ask(settings, { cookie, body: new URLSearchParams({ intent: "unblock", playerId }) });
  expect((await unblock(writer.cookie)).status).toBe(302);
  expect((await unblock(reader.cookie, "x")).status).toBe(302);
  expect(await blocks()).toHaveLength(1);
  expect((await unblock(reader.cookie)).status).toBe(302);
  expect(await blocks()).toEqual([]);
  await say(app.db, { gameId, ...writer }, { body: "Sorry", now: hoursLater(-1) });
  expect(await pageOf(path)).not.toContain(FOLDED);
});
