import { beforeAll, beforeEach, expect, test } from "vitest";
import { aChat, memberOf, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { waitingIn } from "#test/notifications.ts";
import { announceMessage } from "./announce.server.ts";
import { aDevice } from "#test/push-service.ts";
import type { Db } from "#app/platform/db.server.ts";
import { chatPushes, pushChats } from "./pushes.server.ts";
import { markRead, setMuted } from "./unread.server.ts";

const database = useDatabase();
let db: Db;
let gameId: string;
let writer: { gameId: string; userId: string };
let reader: { gameId: string; userId: string };
beforeAll(() => {
  ({ db } = database);
});
beforeEach(async () => {
  await database.pool.query("delete from push_subscriptions");
  writer = await aChat(database);
  gameId = writer.gameId;
  reader = { gameId, userId: (await memberOf(database, gameId, "Bo")).userId };
  for (const { userId } of [writer, reader]) {
    await aDevice(db, userId, `https://fcm.googleapis.com/${userId}`);
  }
  await database.pool.query("delete from pgboss.job");
});

const at = (minutes: number) => hoursLater(minutes / 60);
const push = (minutes: number) => pushChats(db, database.jobs, at(minutes));
const queued = async () =>
  (await waitingIn(database, "push.send")).map(({ kind, version }) => `${kind} ${version}`);
const write = (minutes: number, body = "Hi") => say(db, writer, { body, now: at(minutes) });
const announce = (minutes: number) =>
  db.transaction().execute((tx) =>
    announceMessage(tx, {
      ...{ gameId, actorId: writer.userId, subject: "Pitch 2", message: "Pitch 1 is flooded" },
      ...{ isPinned: false, now: at(minutes) },
    }),
  );

test("others are pushed of the first message, an hour later of the first since, its author never", async () => {
  await write(1);
  await push(1.1);
  expect(await queued()).toEqual([]);
  await push(1.3);
  expect(await queued()).toEqual(["chat 3"]);
  await write(2);
  await write(50);
  await push(61);
  expect(await queued()).toEqual(["chat 3"]);
  await push(61.4);
  expect(await queued()).toEqual(["chat 3", "chat 4"]);
  await push(200);
  expect(await queued()).toHaveLength(2);
});

test("who has read it, has muted the chat or has blocked its author is not pushed", async () => {
  await write(1);
  await markRead(db, { ...reader, number: 3 });
  await push(2);
  await write(3);
  await setMuted(db, { ...reader, isMuted: true });
  await announce(3);
  await push(4);
  await setMuted(db, { ...reader, isMuted: false });
  await db
    .insertInto("player_blocks")
    .values({ user_id: reader.userId, blocked_id: writer.userId })
    .execute();
  await push(5);
  expect(await queued()).toEqual(["chat-organiser 5"]);
});

test("an organiser's messages are pushed each, to all but their author", async () => {
  await announce(1);
  await announce(2);
  await push(3);
  await push(4);
  expect((await queued()).toSorted()).toEqual(["chat-organiser 3", "chat-organiser 4"]);
});

test("at night it waits for the morning, unless the game is near", async () => {
  const night = 60 * 12;
  await write(night);
  await push(night + 1);
  expect(await queued()).toEqual([]);
  await push(60 * 22 + 1);
  expect(await queued()).toEqual(["chat 3"]);
  await write(60 * 38);
  await push(60 * 38 + 1);
  expect(await queued()).toEqual(["chat 3", "chat 4"]);
});

test("twenty processes push once", async () => {
  await write(1);
  await announce(1);
  await Promise.all(Array.from({ length: 20 }, () => push(2)));
  expect((await queued()).toSorted()).toEqual(["chat 3", "chat-organiser 4"]);
});

test("without the row of what was sent twenty processes push more than once", async () => {
  await write(1);
  await database.pool.query(
    `create function forget() returns trigger language plpgsql as $$ begin
       delete from notifications_sent where user_id = new.user_id and kind = new.kind;
       return null; end $$;
     create trigger forget after insert on notifications_sent
       for each row execute function forget()`,
  );
  try {
    await Promise.all(Array.from({ length: 20 }, () => push(2)));
  } finally {
    await database.pool.query("drop trigger forget on notifications_sent; drop function forget");
  }
  expect((await queued()).length).toBeGreaterThan(1);
});

test("a push has no text of a player's, and the subject of an organiser's message to all", async () => {
  await write(1, "The code is 7137");
  await announce(2);
  const pushes = chatPushes({ db });
  const [players, organisers] = [
    await pushes.chat(gameId, "3"),
    await pushes["chat-organiser"](gameId, "4"),
  ];
  expect(players).toMatchObject({ title: "New messages", url: `/events/${gameId}/chat#latest` });
  expect(players!.body).toMatch(/^In Campus Hall, Mon 12:00$/);
  expect(organisers).toMatchObject({ title: "Pitch 2" });
  expect(organisers!.body).toContain("Pitch 1 is flooded");
  await db
    .updateTable("chat_messages")
    .set({ body: null, removed_at: NOW, removed_by: "Author" })
    .where("game_id", "=", gameId)
    .execute();
  expect(await pushes.chat(gameId, "3")).toBeNull();
});
