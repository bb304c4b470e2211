import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { aChat, memberOf, messagesOf, say } from "#test/chat.ts";
import { useErasure } from "#test/erasure.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { untilBlocked } from "#test/lock-order.ts";
import { announceFirstGame, announceMessage } from "./announce.server.ts";
import { listMessages, listPinned, purgeChats } from "./messages.server.ts";
import { markRead } from "./unread.server.ts";
import { removeMessage } from "./remove-message.server.ts";

const erasure = useErasure();
const { database } = erasure;

async function aMessage() {
  const chat = await aChat(database);
  const messageId = randomUUID();
  await say(database.db, chat, { messageId, body: "My secret" });
  return { ...chat, messageId };
}
const rowOf = async (gameId: string, id: string) =>
  (await messagesOf(database.db, gameId)).find((row) => row.id === id);
const removeBy = (message: { gameId: string; messageId: string }, userId: string) =>
  removeMessage(database.db, { ...message, userId, now: NOW });
const entriesOf = (subject: string) =>
  database.db
    .selectFrom("audit_log")
    .selectAll()
    .where("subject", "=", subject)
    .where("action", "=", "game.chat-remove")
    .execute();

describe("a message is removed", () => {
  test("by its author, also twice, and nothing is recorded", async () => {
    const message = await aMessage();
    for (let n = 0; n < 2; n += 1) {
      expect(await removeBy(message, message.userId)).toEqual({ ok: true, by: "Author" });
    }
    expect(await rowOf(message.gameId, message.messageId)).toMatchObject({
      ...{ body: null, removed_at: NOW, removed_by: "Author" },
    });
    expect(await entriesOf(message.gameId)).toEqual([]);
    const again = { messageId: message.messageId, body: "My secret" };
    expect(await say(database.db, message, again)).toEqual({ ok: false, reason: "form-used" });
  });

  test("by an organiser, who is recorded without its text", async () => {
    const message = await aMessage();
    const { id: actor } = await anAdmin(erasure.app);
    for (let n = 0; n < 2; n += 1) {
      expect(await removeBy(message, actor)).toEqual({ ok: true, by: "Organiser" });
    }
    expect(await rowOf(message.gameId, message.messageId)).toMatchObject({
      ...{ body: null, removed_by: "Organiser" },
    });
    const entries = await entriesOf(message.gameId);
    expect(entries).toMatchObject([{ actor, details: { messageId: message.messageId } }]);
    expect(JSON.stringify(entries)).not.toContain("My secret");
  });

  test("by an organiser while its author does: it is the author's, and nothing is recorded", async () => {
    const message = await aMessage();
    const { id: actor } = await anAdmin(erasure.app);
    const { removing } = await database.db.transaction().execute(async (tx) => {
      const gone = { body: null, removed_at: NOW, removed_by: "Author" as const };
      await tx.updateTable("chat_messages").set(gone).where("id", "=", message.messageId).execute();
      const removing = removeBy(message, actor);
      await untilBlocked(tx, database.db, removing);
      return { removing };
    });
    expect(await removing).toEqual({ ok: true, by: "Organiser" });
    expect(await rowOf(message.gameId, message.messageId)).toMatchObject({ removed_by: "Author" });
    expect(await entriesOf(message.gameId)).toEqual([]);
  });

  test("by nobody else, and by its author only while in the game", async () => {
    const message = await aMessage();
    const { userId: other } = await memberOf(database, message.gameId, "Dora");
    expect(await removeBy(message, other)).toEqual({ ok: false, reason: "not-yours" });
    const elsewhere = { ...message, gameId: (await aChat(database)).gameId };
    expect(await removeBy(elsewhere, message.userId)).toEqual({ ok: false, reason: "not-in" });
    // Under another game's chat, a message is none.
    const { id: admin } = await anAdmin(erasure.app);
    expect(await removeBy(elsewhere, admin)).toEqual({ ok: false, reason: "not-found" });
    const none = { ...message, messageId: randomUUID() };
    expect(await removeBy(none, message.userId)).toEqual({ ok: false, reason: "not-found" });
    expect(await removeBy({ ...message, gameId: "x" }, other)).toMatchObject({
      reason: "not-found",
    });
    const left = { payment_status: "Cancelled", end_reason: "Left", cancelled_at: NOW } as const;
    await database.db
      .updateTable("bookings")
      .set(left)
      .where("id", "=", message.bookingId)
      .execute();
    expect(await removeBy(message, message.userId)).toEqual({ ok: false, reason: "not-in" });
    expect(await rowOf(message.gameId, message.messageId)).toMatchObject({ body: "My secret" });
  });
});

test("the newest are read, older ones before a number, with who wrote them", async () => {
  const { db } = database;
  const chat = await aChat(database);
  const { id: organiser } = await anAdmin(erasure.app);
  for (let n = 0; n < 4; n += 1) {
    const now = new Date(NOW.getTime() + n * 60_000);
    await say(db, { ...chat, userId: n === 3 ? organiser : chat.userId }, { body: `${n}`, now });
  }
  const newest = await listMessages(db, { gameId: chat.gameId, limit: 2 });
  expect(newest.map(({ number, body }) => [number, body])).toEqual([
    [4, "2"],
    [5, "3"],
  ]);
  expect(newest).toMatchObject([
    { firstName: "Cleo", isOrganiser: false, kind: "Text" },
    { userId: organiser, isOrganiser: true },
  ]);
  const before = await listMessages(db, { gameId: chat.gameId, limit: 2, before: 4 });
  expect(before.map(({ body }) => body)).toEqual(["0", "1"]);
});

test("pinned are the three newest, without those that were removed", async () => {
  const { db } = database;
  const { gameId } = await aChat(database);
  const { id: actorId } = await anAdmin(erasure.app);
  for (const subject of ["A", "B", "C", "D", "E"]) {
    const announcement = { gameId, actorId, subject, message: "m", now: NOW };
    const isPinned = subject !== "C";
    await db.transaction().execute((tx) => announceMessage(tx, { ...announcement, isPinned }));
  }
  const subjects = async () =>
    (await listPinned(db, gameId)).map(({ body }) => body?.split("\n")[0]);
  expect(await subjects()).toEqual(["E", "D", "B"]);
  const { id: messageId } = (await listPinned(db, gameId))[0]!;
  await removeBy({ gameId, messageId }, actorId);
  expect(await subjects()).toEqual(["D", "B", "A"]);
});

test("a deleted account leaves its places, and of its words only what was said to all", async () => {
  const { db } = database;
  const player = await erasure.player({ credits: 0 });
  const { gameId, ...other } = await aChat(database);
  const seat = { user_id: player.userId, game_id: gameId, payment_status: "Paid" as const };
  const booked = db.insertInto("bookings").values(seat).returning("id");
  const { id: bookingId } = await booked.executeTakeFirstOrThrow();
  await db.transaction().execute((tx) => announceFirstGame(tx, { bookingId, now: NOW }));
  await say(db, { gameId, userId: player.userId }, { body: "My address is Otakaari 1" });
  await say(db, { gameId, userId: other.userId }, { body: "Thanks" });
  const said = { gameId, actorId: player.userId, subject: "Pitch", message: "2", isPinned: true };
  await db.transaction().execute((tx) => announceMessage(tx, { ...said, now: NOW }));
  expect(await erasure.remove(player)).toEqual({ ok: true });
  expect((await messagesOf(db, gameId)).slice(1)).toMatchObject([
    { kind: "FirstGame", user_id: null, body: null, removed_by: "AccountDeleted" },
    { user_id: null, body: null, removed_by: "AccountDeleted" },
    { user_id: other.userId, body: "Thanks" },
    { user_id: null, body: "Pitch\n2", removed_by: null },
  ]);
});

test("a chat is deleted ninety days after its game", async () => {
  const { db } = database;
  const [old, recent] = [await aChat(database), await aChat(database)];
  const end = 48 + 1.5 + 90 * 24;
  await db
    .updateTable("games")
    .set({ date: "2026-11-24" })
    .where("id", "=", recent.gameId)
    .execute();
  for (const chat of [old, recent]) await markRead(db, { ...chat, number: 1 });
  const members = () => db.selectFrom("chat_members").select("game_id as gameId").execute();
  await purgeChats(db, hoursLater(end - 0.01));
  expect(await messagesOf(db, old.gameId)).toHaveLength(1);
  expect(await members()).toHaveLength(2);
  await purgeChats(db, hoursLater(end));
  expect(await messagesOf(db, old.gameId)).toEqual([]);
  expect(await messagesOf(db, recent.gameId)).toHaveLength(1);
  expect(await members()).toEqual([{ gameId: recent.gameId }]);
});
