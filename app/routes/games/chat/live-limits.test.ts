import { expect, test, vi } from "vitest";
import { memberOf } from "#test/chat.ts";
import { lastOf } from "#test/live.ts";
import { hears, streamedMessages, useLiveChat } from "#test/live-chat.ts";
import { signIn } from "#test/visit.ts";

const chat = useLiveChat();

test("one person has so many chats open, and another one's are not counted", async () => {
  const { url, live } = await chat.start({ chatsPerSession: 2 });
  const [first, second] = [await chat.open(url), await chat.open(url)];
  await Promise.all([first, second].map((stream) => lastOf(stream, 1, "chat")));
  const third = await chat.open(url);
  await third.ended;
  expect(third.events("chat")).toEqual([]);
  const { userId } = await memberOf(chat.database, chat.gameId, "Aino");
  const other = await chat.open(url, { cookie: await signIn(chat.app, userId) });
  await lastOf(other, 1, "chat");
  first.leave();
  await vi.waitFor(() => expect(live.count()).toBe(2));
  const again = await chat.open(url);
  await chat.write("to all");
  for (const stream of [second, other, again]) await hears(stream, "to all");
});

test("a page beyond so many chats still follows its spots", async () => {
  const { url } = await chat.start({ chatsPerSession: 1 });
  const first = await chat.open(url);
  await lastOf(first, 1, "chat");
  const second = await chat.open(url, { withSpots: true });
  await lastOf(second, 1, "game");
  await chat.write("to the first");
  await hears(first, "to the first");
  await memberOf(chat.database, chat.gameId, "Aino");
  expect(await lastOf(second, 2, "game")).toMatchObject({ id: chat.gameId, joined: 2 });
  expect(second.events("chat")).toEqual([]);
});

/** So many messages of one text, after the one that is there. */
async function fill(count: number, body: string) {
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{ game_id: chat.gameId, number: n + 2, user_id: chat.bo.userId, body },
    created_at: chat.now,
  }));
  await chat.app.db.insertInto("chat_messages").values(rows).execute();
  const numbers = chat.app.db.updateTable("chats").set({ last_number: count + 1 });
  await numbers.where("game_id", "=", chat.gameId).execute();
}

test.each([
  ["with a link", 90, `https://a.bc/${"球".repeat(487)}`],
  // In characters it would be less.
  ["of three bytes a character", 90, "球".repeat(450)],
])(
  "much text %s is not sent, whatever the number of messages: the page reads itself again",
  async (_what, count, body) => {
    const { url } = await chat.start();
    await fill(count, body);
    const [much, few] = [
      await chat.open(url, { after: "1" }),
      await chat.open(url, { after: String(count - 9) }),
    ];
    expect(await lastOf(much, 1, "chat")).toEqual({ messages: null });
    await lastOf(few, 1, "chat");
    expect(streamedMessages(few)).toHaveLength(10);
  },
);
