import type { KyselyPlugin } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { aChat, memberOf, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { eraseMessages } from "./messages.server.ts";
import { removeMessage } from "./remove-message.server.ts";
import {
  deleteMemberships,
  findFirstUnread,
  listUnread,
  listUnreadOfOrganiser,
  markRead,
} from "./unread.server.ts";

const database = useDatabase(12);
let db: Db;
beforeAll(() => {
  ({ db } = database);
});

/** Two in a game, whose first games it said; one of them has read that. */
async function aTalk() {
  const writer = await aChat(database);
  const { gameId } = writer;
  const { userId } = await memberOf(database, gameId, "Bo");
  await markRead(db, { gameId, userId, number: 2 });
  return { gameId, userId, writer };
}
const unreadOf = async (userId: string, now = NOW) =>
  Object.fromEntries(await listUnread(db, { userId, now }));
const readNumber = async (userId: string) => {
  const rows = db.selectFrom("chat_members").select("read_number").where("user_id", "=", userId);
  return (await rows.executeTakeFirst())?.read_number;
};

test("messages of others after the last that was read are unread", async () => {
  const { gameId, userId, writer } = await aTalk();
  expect(await unreadOf(userId)).toEqual({});
  await say(db, writer);
  await say(db, { gameId, userId });
  await say(db, writer);
  expect(await unreadOf(userId)).toEqual({ [gameId]: 2 });
  await markRead(db, { gameId, userId, number: 3 });
  expect(await unreadOf(userId)).toEqual({ [gameId]: 1 });
  await markRead(db, { gameId, userId, number: 5 });
  expect(await unreadOf(userId)).toEqual({});
  // Cleo has not opened it: what Bo said, and not that this is Bo's first game.
  expect(await unreadOf(writer.userId)).toEqual({ [gameId]: 1 });
});

test("an organiser's unread messages are what players wrote in any open chat since they looked", async () => {
  const organiser = await aPlayer(db);
  await db.insertInto("user_roles").values({ user_id: organiser, role: "admin" }).execute();
  const mine = async (gameId: string, now = NOW) =>
    (await listUnreadOfOrganiser(db, { userId: organiser, now })).filter(
      (chat) => chat.gameId === gameId,
    );
  const { gameId, writer } = await aTalk();
  expect(await mine(gameId)).toEqual([]);
  await say(db, writer);
  await say(db, { gameId, userId: organiser }, { body: "By an organiser" });
  expect(await mine(gameId)).toMatchObject([{ gameId, count: 1, venueName: "Campus Hall" }]);
  await markRead(db, { gameId, userId: organiser, number: 4 });
  expect(await mine(gameId)).toEqual([]);
  for (let n = 0; n < 4; n += 1) await say(db, writer);
  expect(await mine(gameId)).toMatchObject([{ count: 4 }]);
  // The chat is open until a day after the end of the game, which is in two days.
  expect(await mine(gameId, hoursLater(72))).toHaveLength(1);
  expect(await mine(gameId, hoursLater(74))).toEqual([]);
});

test("one that was removed is not unread, nor what a deleted account had written", async () => {
  const { gameId, userId, writer } = await aTalk();
  const messageId = crypto.randomUUID();
  await say(db, writer, { messageId });
  await removeMessage(db, { gameId, messageId, userId: writer.userId, now: NOW });
  expect(await unreadOf(userId)).toEqual({});
  await say(db, writer);
  expect(await unreadOf(userId)).toEqual({ [gameId]: 1 });
  const erasing = { userId: writer.userId, now: NOW };
  await db.transaction().execute((tx) => eraseMessages(tx, erasing));
  expect(await unreadOf(userId)).toEqual({});
  expect(await findFirstUnread(db, { gameId, userId })).toBeNull();
});

test("more than nine are ten", async () => {
  const { gameId, userId, writer } = await aTalk();
  for (let n = 0; n < 12; n += 1) await say(db, writer, { now: hoursLater(n / 10) });
  expect(await unreadOf(userId)).toEqual({ [gameId]: 10 });
});

test("a chat that the player left has no mark; that of a cancelled game has", async () => {
  const { gameId, userId, writer } = await aTalk();
  await say(db, writer);
  const own = db.updateTable("bookings").where("user_id", "=", userId);
  const left = { payment_status: "Cancelled", end_reason: "Left", cancelled_at: NOW } as const;
  await own.set(left).execute();
  expect(await unreadOf(userId)).toEqual({});
  const back = { payment_status: "Paid", end_reason: null, cancelled_at: null } as const;
  await own.set(back).execute();
  await cancelGame(db, database.jobs, { gameId, now: NOW });
  expect(await unreadOf(userId)).toEqual({ [gameId]: 1 });
});

test("a chat that is closed has no mark", async () => {
  const { gameId, userId, writer } = await aTalk();
  await say(db, writer);
  const end = 49.5;
  expect(await unreadOf(userId, hoursLater(end + 24 - 0.1))).toEqual({ [gameId]: 1 });
  expect(await unreadOf(userId, hoursLater(end + 24))).toEqual({});
});

test("nothing that was written before the player joined is unread", async () => {
  const { gameId, ...writer } = await aChat(database);
  await say(db, { gameId, ...writer }, { now: hoursLater(-1) });
  await say(db, { gameId, ...writer }, { now: hoursLater(-0.5) });
  const { userId } = await memberOf(database, gameId, "Bo");
  expect(await unreadOf(userId)).toEqual({});
  expect(await findFirstUnread(db, { gameId, userId })).toBeNull();
  await say(db, { gameId, ...writer }, { now: hoursLater(1) });
  expect(await unreadOf(userId)).toEqual({ [gameId]: 1 });
  expect(await findFirstUnread(db, { gameId, userId })).toBe(5);
});

test("the first unread message is of somebody else, and of who is in", async () => {
  const { gameId, userId, writer } = await aTalk();
  const first = (who = userId) => findFirstUnread(db, { gameId, userId: who });
  expect(await first()).toBeNull();
  await say(db, { gameId, userId });
  await say(db, writer);
  await say(db, writer);
  expect(await first()).toBe(4);
  await markRead(db, { gameId, userId, number: 4 });
  expect(await first()).toBe(5);
  expect(await first(await aPlayer(db))).toBeNull();
});

test("what was read is never unread again, in whatever order forty say so at once", async () => {
  const { gameId, userId, writer } = await aTalk();
  for (let n = 0; n < 40; n += 1) await say(db, writer, { now: hoursLater(n / 20) });
  const numbers = Array.from({ length: 40 }, (_, n) => ((n * 17) % 40) + 3);
  await Promise.all(numbers.map((number) => markRead(db, { gameId, userId, number })));
  expect(await readNumber(userId)).toBe(42);
  await markRead(db, { gameId, userId, number: 7 });
  expect(await readNumber(userId)).toBe(42);
});

/** The mark is not compared with that before. For negative controls only. */
const withoutComparison: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== "RawNode") return node;
    const sqlFragments = node.sqlFragments.map((part) => part.replace(COMPARISON, ""));
    return { ...node, sqlFragments };
  },
  transformResult: async ({ result }) => result,
};
const COMPARISON = /where chat_members.read_number < excluded.read_number$/;

test("without the comparison what was read is unread again", async () => {
  const { gameId, userId, writer } = await aTalk();
  await say(db, writer);
  const unguarded = db.withPlugin(withoutComparison);
  for (const number of [3, 2]) await markRead(unguarded, { gameId, userId, number });
  expect(await readNumber(userId)).toBe(2);
});

test("nobody reads ahead of what there is, nor what no game has", async () => {
  const { gameId, userId } = await aTalk();
  await markRead(db, { gameId, userId, number: 999_999 });
  expect(await readNumber(userId)).toBe(2);
  const silent = await aGame(db);
  await markRead(db, { gameId: silent, userId, number: 3 });
  await markRead(db, { gameId: crypto.randomUUID(), userId, number: 3 });
  const rows = db.selectFrom("chat_members").select("game_id").where("user_id", "=", userId);
  expect(await rows.execute()).toEqual([{ game_id: gameId }]);
  await db.transaction().execute((tx) => deleteMemberships(tx, userId));
  expect(await readNumber(userId)).toBeUndefined();
});
