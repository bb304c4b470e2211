import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pushOf } from "#test/notices.ts";
import { aChat, memberOf, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { waitingIn } from "#test/notifications.ts";
import { announceMessage } from "./announce.server.ts";
import { aDevice } from "#test/push-service.ts";
import type { Db } from "#app/platform/db.server.ts";
import { pushChats } from "./pushes.server.ts";
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
  await database.pool.query("delete from push_subscriptions; delete from chat_messages");
  writer = await aChat(database);
  gameId = writer.gameId;
  reader = { gameId, userId: (await memberOf(database, gameId, "Bo")).userId };
  for (const { userId } of [writer, reader]) {
    await aDevice(db, userId, `https://fcm.googleapis.com/${userId}`);
  }
  await database.pool.query("delete from pgboss.job; delete from notifications_sent");
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

test("at night it waits for the morning, unless the game is near and not cancelled", async () => {
  const night = 60 * 12;
  await write(night);
  await push(night + 1);
  expect(await queued()).toEqual([]);
  await push(60 * 22 + 1);
  expect(await queued()).toEqual(["chat 3"]);
  await write(60 * 38);
  await push(60 * 38 + 1);
  expect(await queued()).toEqual(["chat 3", "chat 4"]);
  await db.updateTable("games").set({ status: "Cancelled" }).where("id", "=", gameId).execute();
  await write(60 * 39 + 2);
  await push(60 * 39 + 3);
  expect(await queued()).toHaveLength(2);
});

const pushedTo = async () =>
  (await database.db.selectFrom("notifications_sent").select("user_id").execute()).map(
    ({ user_id }) => user_id,
  );
const leave = () =>
  db
    .updateTable("bookings")
    .set({ payment_status: "Cancelled", end_reason: "Left", cancelled_at: NOW })
    .where("user_id", "=", reader.userId)
    .execute();

describe("nothing is pushed", () => {
  test.each<[string, () => Promise<unknown>]>([
    [
      "of what was written before one booked",
      async () => {
        await write(1);
        const booked = db.updateTable("bookings").set({ created_at: at(1) });
        await booked.where("user_id", "=", reader.userId).execute();
      },
    ],
    ["of a first game", () => memberOf(database, gameId, "Cy", at(1))],
    [
      "of what was removed",
      async () => {
        await write(1);
        const gone = { body: null, removed_at: NOW, removed_by: "Author" as const };
        await db.updateTable("chat_messages").set(gone).where("kind", "=", "Text").execute();
      },
    ],
    [
      "to who has left",
      async () => {
        await write(1);
        await leave();
      },
    ],
    [
      "to who has no device",
      async () => {
        await write(1);
        await database.pool.query("delete from push_subscriptions");
      },
    ],
  ])("%s", async (_, prepare) => {
    await prepare();
    await push(2);
    expect(await queued()).toEqual([]);
    expect(await pushedTo()).toEqual([]);
  });

  test("of what is older than twelve hours", async () => {
    await write(10);
    await push(60 * 24);
    expect(await queued()).toEqual([]);
  });
});

test("what an organiser writes as a player is an organiser's message", async () => {
  await db.insertInto("user_roles").values({ user_id: writer.userId, role: "admin" }).execute();
  await write(1);
  await write(2);
  await push(3);
  expect((await queued()).toSorted()).toEqual(["chat-organiser 3", "chat-organiser 4"]);
});

test("each chat has an hour of its own", async () => {
  const second = await aChat(database);
  await db
    .insertInto("bookings")
    .values({ user_id: reader.userId, game_id: second.gameId, payment_status: "Paid" })
    .execute();
  await database.pool.query("update bookings set created_at = $1", [NOW]);
  await write(1);
  await push(2);
  await say(db, second, { now: at(3) });
  await push(4);
  expect(await queued()).toEqual(["chat 3", "chat 2"]);
});

test("one that somebody may still be reading is not overtaken by a later number", async () => {
  await announce(1.1);
  await announce(1);
  await push(1.3);
  expect(await queued()).toEqual([]);
  await push(1.4);
  expect((await queued()).toSorted()).toEqual(["chat-organiser 3", "chat-organiser 4"]);
});

test("a game that is played at night is near, and what only mattered in it is not for the morning", async () => {
  const night = await aChat(database, 10.5);
  const { userId } = await memberOf(database, night.gameId, "Dora");
  await aDevice(db, userId, `https://fcm.googleapis.com/${userId}`);
  await database.pool.query("delete from pgboss.job");
  await say(db, night, { now: at(60 * 11) });
  await push(60 * 11 + 1);
  expect(await queued()).toEqual(["chat 3"]);
  await say(db, night, { now: at(60 * 11 + 50) });
  await push(60 * 20);
  expect(await queued()).toEqual(["chat 3"]);
  await say(db, night, { body: "Who has my jacket?", now: at(60 * 12 + 5) });
  await push(60 * 12 + 6);
  expect(await queued()).toEqual(["chat 3"]);
  await push(60 * 20);
  expect(await queued()).toEqual(["chat 3", "chat 5"]);
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
    `create function lose() returns trigger language plpgsql as $$ begin
       delete from notifications_sent where user_id = new.user_id and kind = new.kind;
       return null; end $$;
     create trigger lose after insert on notifications_sent
       for each row execute function lose()`,
  );
  try {
    await Promise.all(Array.from({ length: 20 }, () => push(2)));
  } finally {
    await database.pool.query("drop trigger lose on notifications_sent; drop function lose");
  }
  expect((await queued()).length).toBeGreaterThan(1);
});

const composed = (kind: "chat" | "chat-organiser", number: string) =>
  pushOf(database, kind, [gameId, number, reader.userId]);

test("a push has no text of a player's, and the subject of an organiser's message to all", async () => {
  await write(1, "The code is 7137");
  await announce(2);
  const [players, organisers] = [
    await composed("chat", "3"),
    await composed("chat-organiser", "4"),
  ];
  expect(players).toMatchObject({ title: "New messages", url: `/events/${gameId}/chat#latest` });
  expect(players!.body).toMatch(/^In Campus Hall, Mon 12:00$/);
  const body = expect.stringContaining("Pitch 1 is flooded");
  expect(organisers).toMatchObject({ title: "Pitch 2", body });
  await db
    .updateTable("chat_messages")
    .set({ body: null, removed_at: NOW, removed_by: "Author" })
    .where("game_id", "=", gameId)
    .execute();
  expect(await composed("chat", "3")).toBeNull();
});

describe("a push that is composed", () => {
  const isComposed = async () => {
    return [
      (await composed("chat", "3")) !== null,
      (await composed("chat-organiser", "4")) !== null,
    ];
  };

  test.each<[string, () => Promise<unknown>, boolean[]]>([
    ["to one who is in and has read nothing", async () => {}, [true, true]],
    ["to one who has left", leave, [false, false]],
    ["to one who has read it", () => markRead(db, { ...reader, number: 4 }), [false, false]],
    ["to one who has read the first", () => markRead(db, { ...reader, number: 3 }), [false, true]],
    ["to one who has muted it", () => setMuted(db, { ...reader, isMuted: true }), [false, false]],
    [
      "to one who has blocked its author",
      () =>
        db
          .insertInto("player_blocks")
          .values({ user_id: reader.userId, blocked_id: writer.userId })
          .execute(),
      [false, true],
    ],
  ])("%s", async (_, change, expected) => {
    await write(1);
    await announce(2);
    await change();
    expect(await isComposed()).toEqual(expected);
  });

  test("is still about the later messages, where the first was read meanwhile", async () => {
    await write(1);
    await announce(2);
    await write(3);
    await markRead(db, { ...reader, number: 3 });
    expect(await isComposed()).toEqual([true, true]);
  });
  test("is over with the game in which it was written, else twelve hours later", async () => {
    const end = 60 * 49.5;
    for (const minutes of [60, end - 30, end + 30]) await write(minutes);
    const until = async (number: string) => (await composed("chat", number))!.until;
    expect([await until("3"), await until("4"), await until("5")]).toEqual(
      [60 + 12 * 60, end, end + 30 + 12 * 60].map(at),
    );
  });
});
