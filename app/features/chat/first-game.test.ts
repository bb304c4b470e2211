import { expect, test } from "vitest";
import { memberOf, textsOf } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { expectLockOrder, game, type Lockable, wallet } from "#test/lock-order.ts";
import { aGame, aPlayer, markDeleted, NOW } from "#test/fixtures.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { AndNode, type KyselyPlugin, type OperationNode, sql, WhereNode } from "kysely";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { messagePlayers } from "#app/features/organise/message-players.server.ts";
import { announceFirstGame } from "./announce.server.ts";
import { promoteWaiting } from "#app/features/waitlist/promote-waiting.server.ts";

const database = useDatabase();

const join = (gameId: string, playerId: string) =>
  joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });

const isPosted = async (userId: string) => {
  const profile = database.db.selectFrom("profiles").select("join_message_posted as isPosted");
  return (await profile.where("user_id", "=", userId).executeTakeFirstOrThrow()).isPosted;
};

// spec: 3.4
test("the first game that a player ever joins says so once", async () => {
  const { db } = database;
  const userId = await aPlayer(db, { name: "Ada", credits: 100 });
  const [first, second] = [await aGame(db), await aGame(db, { startsIn: 90 })];
  expect(await isPosted(userId)).toBe(false);
  await join(first, userId);
  await join(second, userId);
  expect(await textsOf(db, first)).toEqual(["FirstGame: This is Ada's first game. Say hi!"]);
  expect(await textsOf(db, second)).toEqual([]);
  expect(await isPosted(userId)).toBe(true);
});

test("so does an organiser's addition, and a promotion from the waitlist", async () => {
  const { db, jobs } = database;
  const gameId = await aGame(db, { spots: 1 });
  const { bookingId } = await memberOf(database, gameId, "Bo");
  const userId = await aPlayer(db, { name: "Dora", credits: 100 });
  await waitlistOf(database).wait(gameId, userId);
  await db
    .updateTable("bookings")
    .set({ payment_status: "Cancelled", end_reason: "Left", cancelled_at: NOW })
    .where("id", "=", bookingId)
    .execute();
  expect(await promoteWaiting(db, jobs, { gameId, now: NOW })).toBe(1);
  expect(await textsOf(db, gameId)).toEqual([
    "FirstGame: This is Bo's first game. Say hi!",
    "FirstGame: This is Dora's first game. Say hi!",
  ]);
});

test("a player who has played before is no newcomer, no matter who wrote that booking", async () => {
  const { db } = database;
  const userId = await aPlayer(db, { credits: 100 });
  const played = {
    user_id: userId,
    game_id: await aGame(db),
    payment_status: "Cancelled" as const,
  };
  await db.insertInto("bookings").values(played).execute();
  const gameId = await aGame(db);
  await join(gameId, userId);
  expect(await textsOf(db, gameId)).toEqual([]);
});

test("nor is one whose first game was announced before", async () => {
  const { db } = database;
  const [userId, gameId] = [await aPlayer(db, { credits: 100 }), await aGame(db)];
  const profile = db.updateTable("profiles").set({ join_message_posted: true });
  await profile.where("user_id", "=", userId).execute();
  await join(gameId, userId);
  expect(await textsOf(db, gameId)).toEqual([]);
});

test("of a deleted account nothing is said", async () => {
  const { db } = database;
  const [userId, gameId] = [await aPlayer(db), await aGame(db)];
  const seat = { user_id: userId, game_id: gameId, payment_status: "Paid" as const };
  const booking = db.insertInto("bookings").values(seat).returning("id");
  const { id: bookingId } = await booking.executeTakeFirstOrThrow();
  await markDeleted(db, userId);
  await db.transaction().execute((tx) => announceFirstGame(tx, { bookingId, now: NOW }));
  expect([await textsOf(db, gameId), await isPosted(userId)]).toEqual([[], false]);
});

test("two first games at once are one", async () => {
  const { db } = database;
  for (let round = 0; round < 5; round += 1) {
    const userId = await aPlayer(db, { credits: 100 });
    const games = [await aGame(db), await aGame(db, { startsIn: 90 })];
    await Promise.all(games.map((gameId) => join(gameId, userId)));
    const texts = await Promise.all(games.map((gameId) => textsOf(db, gameId)));
    expect(texts.flat()).toHaveLength(1);
  }
});

/** What is said of two bookings of one player, neither of which sees the other. */
async function twoUnseen(unguarded = database.db) {
  const { db } = database;
  const user_id = await aPlayer(db);
  const games = [await aGame(db), await aGame(db, { startsIn: 90 })];
  const { promise: bothIn, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const book = (game_id: string) =>
    unguarded.transaction().execute(async (tx) => {
      const seat = { user_id, game_id, payment_status: "Paid" as const };
      const booking = tx.insertInto("bookings").values(seat).returning("id");
      const { id: bookingId } = await booking.executeTakeFirstOrThrow();
      if ((count += 1) === games.length) resolve();
      await bothIn;
      await announceFirstGame(tx, { bookingId, now: NOW });
    });
  await Promise.all(games.map(book));
  return (await Promise.all(games.map((gameId) => textsOf(db, gameId)))).flat();
}

test("two that do not see each other are one, by the player's flag", async () => {
  expect(await twoUnseen()).toHaveLength(1);
});

/** Whether it was said before is not asked. For negative controls only. */
const withoutFlag: KyselyPlugin = {
  transformQuery({ node }) {
    const isAsked = node.kind === "UpdateQueryNode" && JSON.stringify(node).includes(FLAG);
    return isAsked ? { ...node, where: WhereNode.create(withoutAsking(node.where!.where)) } : node;
  },
  transformResult: async ({ result }) => result,
};
const FLAG = "join_message_posted";

function withoutAsking(condition: OperationNode): OperationNode {
  if (!AndNode.is(condition)) return condition;
  const left = withoutAsking(condition.left);
  return JSON.stringify(condition.right).includes(FLAG)
    ? left
    : AndNode.create(left, condition.right);
}

test("without the flag they are two", async () => {
  expect(await twoUnseen(database.db.withPlugin(withoutFlag))).toHaveLength(2);
});

test("a join that fails says nothing", async () => {
  const { db } = database;
  const [userId, gameId] = [await aPlayer(db), await aGame(db)];
  expect(await join(gameId, userId)).toMatchObject({ reason: "not-enough-credits" });
  expect(await textsOf(db, gameId)).toEqual([]);
  expect(await isPosted(userId)).toBe(false);
});

test("an organiser's message to all is in the chat, once, and pinned where it is asked for", async () => {
  const { db, jobs } = database;
  const gameId = await aGame(db);
  await memberOf(database, gameId, "Bo");
  const actorId = await aPlayer(db, { name: "Otto" });
  const message = { gameId, actorId, subject: "Pitch 2", message: "Bring\nlights", now: NOW };
  const pinned = { ...message, messageId: crypto.randomUUID(), isPinned: true };
  for (let n = 0; n < 2; n += 1) await messagePlayers(db, jobs, pinned);
  await messagePlayers(db, jobs, { ...message, messageId: crypto.randomUUID() });
  const said = "Announcement: Pitch 2\nBring\nlights";
  expect((await textsOf(db, gameId)).slice(1)).toEqual([said, said]);
  const rows = db
    .selectFrom("chat_messages")
    .select("pinned_at")
    .where("kind", "=", "Announcement");
  const times = (await rows.orderBy("number").execute()).map(({ pinned_at }) => pinned_at);
  expect(times).toEqual([NOW, null]);
});

const chat = (id: string): Lockable => {
  const select = sql`select from chats where game_id = ${id} for no key update`;
  return {
    name: "chats",
    hold: (tx) => select.execute(tx),
    isFree: async (tx) => (await sql`${select} skip locked`.execute(tx)).rows.length > 0,
  };
};

test("a join locks game, wallet, and the chat last of them", async () => {
  await expectLockOrder(database.db, async () => {
    const userId = await aPlayer(database.db, { credits: 100 });
    const gameId = await aGame(database.db);
    return { locks: [game(gameId), wallet(userId), chat(gameId)], run: () => join(gameId, userId) };
  });
});
