import { beforeAll, beforeEach, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { memberOf, messagesOf, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, NOW } from "#test/fixtures.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { announceMessage } from "#app/features/chat/announce.server.ts";
import { pinMessage } from "#app/features/chat/pin-message.server.ts";
import { removeMessage } from "#app/features/chat/remove-message.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let ask: AskSite;
let gameId: string;
let path: string;
let player: { userId: string; cookie: string };
let organiser: { userId: string; cookie: string };
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ask = await openSite(app);
});
beforeEach(async () => {
  gameId = await aGame(app.db);
  path = `/events/${gameId}/chat`;
  const { userId } = await memberOf(database, gameId, "Aino");
  player = { userId, cookie: await signIn(app, userId) };
  const { id } = await anAdmin(app);
  organiser = { userId: id, cookie: await signIn(app, id) };
  const said = { gameId, actorId: id, subject: "Pitch 2", message: "Not 1", isPinned: true };
  await app.db.transaction().execute((tx) => announceMessage(tx, { ...said, now: NOW }));
  await say(app.db, { gameId, userId }, { body: "Fine" });
});

const idOf = async (body: string) =>
  (await messagesOf(app.db, gameId)).find((message) => message.body === body)!.id;
const PITCH = "Pitch 2\nNot 1";
const post = async (cookie: string, intent: string, body = PITCH, query = "") =>
  ask(path + query, {
    cookie,
    body: new URLSearchParams({ intent, messageId: await idOf(body) }),
  });
const isPinned = async () =>
  (await messagesOf(app.db, gameId)).some(({ pinned_at }) => pinned_at !== null);
const audited = () =>
  app.db
    .selectFrom("audit_log")
    .select(["actor", "action", "details"])
    .where("subject", "=", gameId)
    .where("action", "like", "game.chat-%")
    .orderBy("id")
    .execute();

test("organisers unpin a message to all and pin it again, which is recorded once each", async () => {
  const messageId = await idOf(PITCH);
  for (const intent of ["unpin", "unpin", "pin"]) {
    const { status, headers } = await post(organiser.cookie, intent);
    expect([status, headers.get("Location")]).toEqual([302, `${path}#message-${messageId}`]);
    expect(await isPinned()).toBe(intent === "pin");
    const html = await (await ask(path, { cookie: organiser.cookie })).text();
    expect(html.includes(">Pinned<")).toBe(intent === "pin");
    expect(html).toContain(`value="${intent === "pin" ? "unpin" : "pin"}"`);
  }
  const details = { messageId };
  expect(await audited()).toEqual([
    { actor: organiser.userId, action: "game.chat-unpin", details },
    { actor: organiser.userId, action: "game.chat-pin", details },
  ]);
});

test("players pin nothing, and organisers no message of a player, nor one that is gone", async () => {
  expect(await (await ask(path, { cookie: player.cookie })).text()).not.toContain('value="unpin"');
  expect((await post(player.cookie, "unpin")).status).toBe(403);
  expect((await post(organiser.cookie, "pin", "Fine")).status).toBe(403);
  const messageId = await idOf(PITCH);
  const about = { gameId, messageId, userId: organiser.userId, now: NOW };
  await removeMessage(app.db, about);
  expect(await pinMessage(app.db, { ...about, isPinned: true })).toEqual({
    ...{ ok: false, reason: "not-pinnable" },
  });
  const none = { ...about, messageId: crypto.randomUUID(), isPinned: true };
  expect(await pinMessage(app.db, none)).toEqual({ ok: false, reason: "not-found" });
  expect(await audited()).toEqual([]);
});

test.each(["unpin", "report", "block", "unblock", "remove"])(
  "%s comes back to the earlier page that it was sent from",
  async (intent) => {
    const body = intent === "unpin" ? PITCH : "Fine";
    const isPlayers = intent === "remove";
    const reader = await signIn(app, (await memberOf(database, gameId, "Bo")).userId);
    const cookie = intent === "unpin" ? organiser.cookie : isPlayers ? player.cookie : reader;
    const page = await (await ask(`${path}?before=4`, { cookie })).text();
    expect(page).toContain(`action="${path}?before=4"`);
    const messageId = await idOf(body);
    const { status, headers } = await post(cookie, intent, body, "?before=4");
    const back = `${path}?before=4#message-${messageId}`;
    expect([status, headers.get("Location")]).toEqual([302, back]);
  },
);

test("muting stays on the page, and nothing else than a page is taken from the address", async () => {
  const mute = async (query: string) => {
    const body = new URLSearchParams({ intent: "mute" });
    const { headers } = await ask(path + query, { cookie: player.cookie, body });
    return headers.get("Location");
  };
  expect(await mute("?before=4")).toBe(`${path}?before=4`);
  expect(await mute("?before=//evil.example")).toBe(path);
});
