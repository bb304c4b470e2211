import { beforeAll, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { aChat, messagesOf, say } from "#test/chat.ts";
import { useDatabase, watchQueries } from "#test/db.ts";
import { NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { createLiveChats } from "./live-chats.server.ts";

const database = useDatabase();
let db: Db;
beforeAll(() => {
  ({ db } = database);
});

type Chat = Awaited<ReturnType<typeof aChat>>;
interface ChatEvent {
  messages: { number: number; body: string | null }[] | null;
}

/** A process in which players follow chats; what it asks the database is in `asked`. */
function aProcess(fails: (query: string) => boolean = () => false) {
  const asked: string[] = [];
  const watched = watchQueries(db, (query) => {
    asked.push(JSON.stringify(query));
    if (fails(asked.at(-1)!)) throw new Error("not read");
  });
  const chats = createLiveChats({
    db: watched,
    env: { adminTwoFactor: "optional" },
    now: () => NOW,
    toView: (message) => message,
  });
  async function follow({ gameId, userId }: Chat, after: number | null = 0) {
    const { token } = await testApp(database).accounts.openSession(userId, { now: NOW });
    const sent: (number[] | null)[] = [];
    const send = (data: string) => {
      const { messages } = JSON.parse(data) as ChatEvent;
      sent.push(messages && messages.map(({ number }) => number));
    };
    const unfollow = chats.follow({ gameId, token, after, send });
    return { sent, unfollow };
  }
  return { chats, asked, follow };
}

test("a chat that nobody follows any more is not read", async () => {
  const [first, second] = [await aChat(database), await aChat(database)];
  const { chats, asked, follow } = aProcess();
  const [left, stays] = [await follow(first), await follow(second)];
  await vi.waitFor(() => expect([left.sent, stays.sent]).toEqual([[[1]], [[1]]]));
  left.unfollow();
  left.unfollow();
  const before = asked.length;
  await say(db, first);
  await say(db, second);
  // One by one: the second is sent once the first has been read, where it is.
  chats.change(first.gameId);
  chats.change(second.gameId);
  await vi.waitFor(() => expect(stays.sent).toEqual([[1], [2]]));
  expect(asked.slice(before).join()).not.toContain(first.gameId);
});

test("a chat that cannot be read keeps only itself", async () => {
  const [first, broken, whole] = [
    await aChat(database),
    await aChat(database),
    await aChat(database),
  ];
  let isBroken = false;
  const { chats, follow } = aProcess((query) => isBroken && query.includes(broken.gameId));
  const all = [await follow(first), await follow(broken), await follow(whole)] as const;
  await vi.waitFor(() => expect(all.map(({ sent }) => sent)).toEqual([[[1]], [[1]], [[1]]]));
  isBroken = true;
  for (const chat of [first, broken, whole]) await say(db, chat);
  // The first alone, and while it is read the others become one round.
  for (const { gameId } of [first, broken, whole]) chats.change(gameId);
  await vi.waitFor(() => expect(all[2].sent).toEqual([[1], [2]]));
  expect(all[1].sent).toEqual([[1]]);
  all[1].unfollow();
});

/** A chat with so many messages, of which these are removed. */
async function aLongChat(count: number, removed: (number: number) => boolean) {
  const chat = await aChat(database);
  const gone = { body: null, removed_at: NOW, removed_by: "Author" } as const;
  const rows = Array.from({ length: count - 1 }, (_, n) => ({
    ...{ game_id: chat.gameId, number: n + 2, user_id: chat.userId, body: "Hi" },
    ...(removed(n + 2) && gone),
  }));
  await db.insertInto("chat_messages").values(rows).execute();
  const last = db.updateTable("chats").set({ last_number: count });
  await last.where("game_id", "=", chat.gameId).execute();
  return chat;
}

/** What a reader of the whole chat is sent of a removal, beside one who has missed most of it. */
async function sentOnRemoval(chat: Chat, number: number) {
  const first = await aChat(database);
  const { chats, follow } = aProcess();
  const reader = await follow(chat, null);
  const busy = await follow(first);
  await vi.waitFor(() => expect(busy.sent).toHaveLength(1));
  // While the first is read, the others become one round.
  chats.change(first.gameId);
  const late = follow(chat, 10);
  chats.change(`${chat.gameId} ${number}`);
  await vi.waitFor(async () => expect((await late).sent).toEqual([null]));
  return reader.sent;
}

test("a removal is sent also while another reader has missed more than one event holds", async () => {
  const chat = await aLongChat(400, (number) => number === 150);
  expect(await sentOnRemoval(chat, 150)).toEqual([[150]]);
});

test("after more removals than one event holds the page is read again", async () => {
  const chat = await aLongChat(1_000, (number) => number >= 20 && number <= 620);
  expect(await sentOnRemoval(chat, 20)).toEqual([null]);
});

test("three hundred missed messages are sent, with what was removed among as many before", async () => {
  const chat = await aLongChat(750, (number) => number > 140 && number <= 240);
  const { follow } = aProcess();
  const [much, few] = [await follow(chat, 440), await follow(chat, 450)];
  await vi.waitFor(() => expect([much.sent.length, few.sent.length]).toEqual([1, 1]));
  expect(much.sent).toEqual([null]);
  const from = (first: number, length: number) => Array.from({ length }, (_, n) => first + n);
  expect(few.sent[0]).toEqual([...from(151, 90), ...from(451, 300)]);
  expect(await messagesOf(db, chat.gameId)).toHaveLength(750);
});
