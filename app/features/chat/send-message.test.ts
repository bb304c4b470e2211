import { randomUUID } from "node:crypto";
import { RawNode } from "kysely";
import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aChat, memberOf, messagesOf, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { type Database, openDatabase } from "#app/platform/db.server.ts";
import { lockWallet } from "#app/features/wallet/ledger.server.ts";
import { untilBlocked } from "#test/lock-order.ts";
import { endBooking } from "#app/features/seats/end-booking.server.ts";

const database = useDatabase(30);
/** A second process's connection. */
let other: Database;
beforeAll(() => {
  other = openDatabase(database.connection, 30);
});
afterAll(() => other.close());

const seconds = (count: number) => new Date(NOW.getTime() + count * 1_000);
const reasonOf = (result: Awaited<ReturnType<typeof say>>) => (result.ok ? "ok" : result.reason);

/** Takes the locks of rows away that are weaker than `for update`. For negative controls only. */
const withoutRowLocks: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== "SelectQueryNode" || !node.endModifiers) return node;
    const { endModifiers: _, ...rest } = node;
    return rest;
  },
  transformResult: async ({ result }) => result,
};

/** Takes the next number as the highest that is there, without holding the chat. */
const withoutChatLock: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== "UpdateQueryNode" || !JSON.stringify(node).includes("last_number"))
      return node;
    return RawNode.createWithSql(
      "select coalesce(max(number), 0) + 1 as number from chat_messages",
    );
  },
  transformResult: async ({ result }) => result,
};

test("a message is stored as the next one of its chat, by its form's id", async () => {
  const { db } = database;
  const chat = await aChat(database);
  const messageId = randomUUID();
  expect(await say(db, chat, { body: "See you", messageId, now: seconds(3) })).toEqual({
    ok: true,
  });
  const [welcome, message] = await messagesOf(db, chat.gameId);
  expect(welcome).toMatchObject({ number: 1, kind: "FirstGame" });
  expect(message).toMatchObject({
    ...{ id: messageId, number: 2, user_id: chat.userId, kind: "Text", body: "See you" },
    ...{ created_at: seconds(3), removed_at: null, pinned_at: null },
  });
});

test("the same form twice is one message, and any other use of its id is rejected", async () => {
  const { db } = database;
  const chat = await aChat(database);
  const messageId = randomUUID();
  const others = await memberOf(database, chat.gameId, "Dora");
  const elsewhere = { ...chat, gameId: await aGame(db) };
  await db
    .insertInto("bookings")
    .values({ user_id: chat.userId, game_id: elsewhere.gameId, payment_status: "Paid" })
    .execute();
  const sendings = [
    say(db, chat, { messageId }),
    ...[chat, chat].map((who) => say(other.db, who, { messageId })),
  ];
  expect((await Promise.all(sendings)).map(reasonOf)).toEqual(["ok", "ok", "ok"]);
  expect(await reasonOf(await say(db, chat, { messageId, body: "Other" }))).toBe("form-used");
  expect(reasonOf(await say(db, { ...chat, ...others }, { messageId }))).toBe("form-used");
  expect(reasonOf(await say(db, elsewhere, { messageId }))).toBe("form-used");
  expect(await messagesOf(db, chat.gameId)).toHaveLength(3);
  expect((await messagesOf(db, elsewhere.gameId)).length).toBe(0);
});

test("a form that is repeated has sent its message, also after the limit and after the chat has closed", async () => {
  const { db } = database;
  const chat = await aChat(database);
  const messageId = randomUUID();
  const close = hoursLater(48 + 1.5 + 24);
  for (let n = 0; n < 4; n += 1) await say(db, chat, { now: seconds(n) });
  expect(reasonOf(await say(db, chat, { messageId, now: seconds(4) }))).toBe("ok");
  expect(reasonOf(await say(db, chat, { now: seconds(5) }))).toBe("too-many");
  expect(reasonOf(await say(db, chat, { messageId, now: seconds(5) }))).toBe("ok");
  expect(reasonOf(await say(db, chat, { messageId, now: close }))).toBe("ok");
  expect(reasonOf(await say(db, chat, { now: close }))).toBe("over");
  await db.deleteFrom("bookings").where("id", "=", chat.bookingId).execute();
  expect(reasonOf(await say(db, chat, { messageId, now: seconds(6) }))).toBe("not-in");
});

test("one id of two people at once is one message, and leaves no gap", async () => {
  const { db } = database;
  for (let round = 0; round < 10; round += 1) {
    const chat = await aChat(database);
    const second = { ...chat, ...(await memberOf(database, chat.gameId, "Dora")) };
    const messageId = randomUUID();
    const results = await Promise.all([
      say(db, chat, { messageId, now: seconds(round * 60) }),
      say(other.db, second, { messageId, now: seconds(round * 60) }),
    ]);
    expect(results.map(reasonOf).toSorted()).toEqual(["form-used", "ok"]);
    await say(db, chat, { now: seconds(round * 60) });
    const numbers = (await messagesOf(db, chat.gameId)).map(({ number }) => number);
    expect(numbers).toEqual([1, 2, 3, 4]);
  }
});

describe("fifty at once from two processes", () => {
  const race = async (...plugins: KyselyPlugin[]) => {
    const chat = await aChat(database);
    const members = await Promise.all(
      Array.from({ length: 9 }, () => memberOf(database, chat.gameId)),
    );
    const who = [chat, ...members.map((member) => ({ ...chat, ...member }))];
    const connections = [database.db, other.db].map((db) =>
      plugins.reduce((plain, plugin) => plain.withPlugin(plugin), db),
    );
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => say(connections[n % 2]!, who[n % 10]!)),
    );
    const sent = results.filter(({ status }) => status === "fulfilled").length;
    const rows = await messagesOf(database.db, chat.gameId);
    return { sent, numbers: rows.map(({ number }) => number) };
  };

  test("get numbers without a gap", async () => {
    const { sent, numbers } = await race();
    expect(sent).toBe(50);
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
  });

  test("collide without the chat's row", async () => {
    expect((await race(withoutChatLock)).sent).toBeLessThan(50);
  });
});

describe("the limits of an account", () => {
  test("five in ten seconds, over all games, and then it says how long to wait", async () => {
    const { db } = database;
    const chats = [await aChat(database)];
    const gameId = await aGame(db);
    const { userId } = chats[0]!;
    const seat = { user_id: userId, game_id: gameId, payment_status: "Paid" as const };
    await db.insertInto("bookings").values(seat).execute();
    chats.push({ ...chats[0]!, gameId });
    for (let n = 0; n < 5; n += 1) await say(db, chats[n % 2]!, { now: seconds(n) });
    const sixth = await say(db, chats[1]!, { now: seconds(6) });
    expect(sixth).toEqual({ ok: false, reason: "too-many", retryAfterSeconds: 4 });
    expect((await say(db, chats[1]!, { now: seconds(10) })).ok).toBe(true);
  });

  test("sixty in an hour, removed ones included", async () => {
    const { db } = database;
    const chat = await aChat(database);
    for (let n = 0; n < 60; n += 1) await say(db, chat, { now: seconds(n * 30) });
    const gone = { body: null, removed_at: NOW, removed_by: "Author" as const };
    await db
      .updateTable("chat_messages")
      .set(gone)
      .where("user_id", "=", chat.userId)
      .where("number", "<", 40)
      .execute();
    expect(await say(db, chat, { now: seconds(1_800) })).toMatchObject({
      ...{ reason: "too-many", retryAfterSeconds: 1_800 },
    });
    expect((await say(db, chat, { now: seconds(3_600) })).ok).toBe(true);
  });

  const twentyAtOnce = async (...plugins: KyselyPlugin[]) => {
    const chat = await aChat(database);
    const connections = [database.db, other.db].map((db) =>
      plugins.reduce((plain, plugin) => plain.withPlugin(plugin), db),
    );
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => say(connections[n % 2]!, chat)),
    );
    return results.filter(({ ok }) => ok).length;
  };

  test("hold for twenty at once", async () => {
    expect(await twentyAtOnce()).toBe(5);
  });

  test("do not hold without the account's lock", async () => {
    expect(await twentyAtOnce(withoutRowLocks)).toBeGreaterThan(5);
  });
});

describe("somebody who is removed at that moment", () => {
  const race = async (...plugins: KyselyPlugin[]) => {
    const chat = await aChat(database);
    const sending = await database.db.transaction().execute(async (tx) => {
      const ended = { bookingId: chat.bookingId, userId: chat.userId, notes: "", now: NOW };
      await endBooking(tx, { ...ended, reason: "Removed" });
      const db = plugins.reduce((plain, plugin) => plain.withPlugin(plugin), other.db);
      const sending = say(db, chat);
      if (plugins.length > 0) await sending;
      else await untilBlocked(tx, database.db, sending);
      return { sending };
    });
    return reasonOf(await sending.sending);
  };

  test("writes nothing more", async () => {
    expect(await race()).toBe("not-in");
  });

  test("would, without the lock of the booking", async () => {
    expect(await race(withoutRowLocks)).toBe("ok");
  });
});

test("whose wallet is locked holds nobody else up in the chat", async () => {
  const { db } = database;
  const chat = await aChat(database);
  const second = { ...chat, ...(await memberOf(database, chat.gameId, "Dora")) };
  const sending = await db.transaction().execute(async (tx) => {
    await lockWallet(tx, chat.userId);
    const sending = say(other.db, chat);
    await untilBlocked(tx, db, sending);
    expect(reasonOf(await say(db, second))).toBe("ok");
    return { sending };
  });
  expect(reasonOf(await sending.sending)).toBe("ok");
});

test.each<[string, (chat: Awaited<ReturnType<typeof aChat>>) => Promise<unknown>, string]>([
  [
    "who is suspended",
    ({ userId }) =>
      database.db
        .updateTable("users")
        .set({ suspended_at: NOW, suspended_reason: "Rough" })
        .where("id", "=", userId)
        .execute(),
    "suspended",
  ],
  [
    "whose account is deleted",
    ({ userId }) =>
      database.db
        .updateTable("profiles")
        .set({ deleted_at: NOW })
        .where("user_id", "=", userId)
        .execute(),
    "not-in",
  ],
  [
    "who has left",
    ({ bookingId }) =>
      database.db
        .updateTable("bookings")
        .set({ payment_status: "Cancelled", end_reason: "Left", cancelled_at: NOW })
        .where("id", "=", bookingId)
        .execute(),
    "not-in",
  ],
  [
    "whose game was cancelled",
    ({ bookingId }) =>
      database.db
        .updateTable("bookings")
        .set({ payment_status: "Refunded", end_reason: "GameCancelled", cancelled_at: NOW })
        .where("id", "=", bookingId)
        .execute(),
    "ok",
  ],
])("a player %s", async (_who, change, expected) => {
  const chat = await aChat(database);
  await change(chat);
  expect(reasonOf(await say(database.db, chat))).toBe(expected);
});

test("nobody writes in a game that they are not in, or that is long over, or is none", async () => {
  const { db } = database;
  const chat = await aChat(database);
  const stranger = { ...chat, userId: await aPlayer(db) };
  expect(reasonOf(await say(db, stranger))).toBe("not-in");
  expect(reasonOf(await say(db, chat, { now: hoursLater(48 + 1.5 + 24) }))).toBe("over");
  expect(reasonOf(await say(db, { ...chat, gameId: randomUUID() }))).toBe("not-found");
  expect(reasonOf(await say(db, { ...chat, gameId: "no-id" }))).toBe("not-found");
  expect(reasonOf(await say(db, chat, { messageId: "no-id" }))).toBe("not-found");
});
