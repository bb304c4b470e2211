import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { announceMessage } from "#app/features/chat/announce.server.ts";
import { eraseMessages } from "#app/features/chat/messages.server.ts";
import { removeMessage } from "#app/features/chat/remove-message.server.ts";
import { anAdmin } from "#test/admin.ts";
import { memberOf, messagesOf, say } from "#test/chat.ts";
import { watchQueries } from "#test/db.ts";
import { hoursLater } from "#test/fixtures.ts";
import { lastOf } from "#test/live.ts";
import { hears, textsOf, streamedMessages, useLiveChat } from "#test/live-chat.ts";
import { signIn, visit } from "#test/visit.ts";
import { loader } from "./show.tsx";

const chat = useLiveChat();

test("what is written arrives over two processes, as the page's own data shows it", async () => {
  const [one, two] = [await chat.start(), await chat.start()];
  const { userId, bookingId } = await memberOf(chat.database, chat.gameId, "Aino");
  expect(bookingId).toBeTruthy();
  const streams = [
    await chat.open(one.url),
    await chat.open(two.url, { cookie: await signIn(chat.app, userId), after: "2" }),
  ];
  await chat.write("See https://maps.example/x");
  for (const stream of streams) await hears(stream, "See https://maps.example/x");
  const { messages } = (
    await visit(chat.app, loader, { path: `/events/${chat.gameId}/chat`, cookie: chat.bo.cookie })
  ).data.chat;
  expect(streamedMessages(streams[0]!)).toEqual(messages);
  expect(streamedMessages(streams[1]!)).toEqual(messages.slice(2));
  expect(streams[1]!.text()).toContain("event: chat\nid: 3\n");
});

test("what a deleted account wrote is replaced where it stands, its first game too", async () => {
  const { url } = await chat.start();
  const stream = await chat.open(url);
  const { userId } = await memberOf(chat.database, chat.gameId, "Aino");
  await chat.write("The code is 7137", userId);
  await hears(stream, "The code is 7137");
  await chat.app.db.transaction().execute((tx) => eraseMessages(tx, { userId, now: chat.now }));
  await hears(stream, "Deleted player");
  await hears(stream, "Deleted");
  const gone = streamedMessages(stream).filter((view) => view?.gone);
  // One may be sent again with the other.
  const latest = new Map(gone.map((view) => [view?.number, [view?.authorId, view?.parts]]));
  expect([...latest]).toEqual([
    [2, [null, []]],
    [3, [null, []]],
  ]);
});

test("what is removed is replaced where it stands", async () => {
  const { url } = await chat.start();
  const stream = await chat.open(url);
  await chat.write("The code is 7137");
  await hears(stream, "The code is 7137");
  const [, { id: messageId }] = (await messagesOf(chat.app.db, chat.gameId)) as [
    unknown,
    { id: string },
  ];
  const { id: admin } = await anAdmin(chat.app);
  await removeMessage(chat.app.db, {
    gameId: chat.gameId,
    messageId,
    userId: admin,
    now: chat.now,
  });
  await hears(stream, "Removed by an organiser");
  expect(streamedMessages(stream).at(-1)).toMatchObject({
    id: messageId,
    number: 2,
    parts: [],
    subject: "",
  });
});

test("an organiser's message to all arrives with its subject", async () => {
  const { url } = await chat.start();
  const stream = await chat.open(url);
  const { id: actorId } = await anAdmin(chat.app);
  const message = {
    subject: "Pitch 2",
    message: "Bring a light shirt.",
    isPinned: true,
    now: chat.now,
  };
  await chat.app.db
    .transaction()
    .execute((tx) => announceMessage(tx, { gameId: chat.gameId, actorId, ...message }));
  await hears(stream, "Bring a light shirt.");
  expect(streamedMessages(stream).at(-1)).toMatchObject({
    kind: "Announcement",
    subject: "Pitch 2",
  });
});

describe("after a break", () => {
  test("what was missed is sent, by the address and by what the browser got last", async () => {
    const { url } = await chat.start();
    for (const text of ["one", "two", "three"]) await chat.write(text);
    const byAddress = await chat.open(url, { after: "2" });
    await hears(byAddress, "three");
    const byBrowser = await chat.open(url, { after: "1", headers: { "Last-Event-ID": "3" } });
    await hears(byBrowser, "three");
    expect([textsOf(byAddress), textsOf(byBrowser)]).toEqual([["two", "three"], ["three"]]);
    const all = await chat.open(url, { after: "4" });
    await chat.settle(all);
    expect(textsOf(all)).not.toContain("three");
    expect(textsOf(all)).toHaveLength(2);
  });

  test("what was removed meanwhile is sent as well", async () => {
    const { url } = await chat.start();
    await chat.write("one");
    await chat.write("two");
    const [, { id: messageId }] = (await messagesOf(chat.app.db, chat.gameId)) as [
      unknown,
      { id: string },
    ];
    await removeMessage(chat.app.db, {
      gameId: chat.gameId,
      messageId,
      userId: chat.bo.userId,
      now: chat.now,
    });
    const stream = await chat.open(url, { after: "3" });
    await hears(stream, "Deleted");
    // Also where its own notification comes after the stream.
    expect(new Set(streamedMessages(stream).map((view) => view?.number))).toEqual(new Set([2]));
  });

  test("more than three hundred are not sent: the page reads itself again", async () => {
    const { url } = await chat.start();
    const rows = Array.from({ length: 301 }, (_, n) => ({
      ...{
        game_id: chat.gameId,
        number: n + 2,
        user_id: chat.bo.userId,
        body: `m${n + 2}`,
        created_at: chat.now,
      },
    }));
    await chat.app.db.insertInto("chat_messages").values(rows).execute();
    const numbers = chat.app.db.updateTable("chats").set({ last_number: 302 });
    await numbers.where("game_id", "=", chat.gameId).execute();
    const [much, few] = [
      await chat.open(url, { after: "1" }),
      await chat.open(url, { after: "2" }),
    ];
    expect(await lastOf(much, 1, "chat")).toEqual({ messages: null });
    await hears(few, "m302");
    expect(streamedMessages(few)).toHaveLength(300);
    chat.now = hoursLater(2);
    await chat.write("next");
    for (const stream of [much, few]) await hears(stream, "next");
  });

  test("after an outage of the listening connection, what was notified meanwhile is sent", async () => {
    const { url } = await chat.start();
    const stream = await chat.open(url);
    // What is removed is not the last that was sent.
    await chat.write("first");
    await chat.write("before");
    await hears(stream, "before");
    const [pid] = await chat.listeners();
    await chat.database.pool.query(`do $$ begin perform pg_terminate_backend(${pid}, 5000);
      update chats set last_number = 4 where game_id = '${chat.gameId}';
      insert into chat_messages (game_id, number, user_id, body)
        values ('${chat.gameId}', 4, '${chat.bo.userId}', 'meanwhile');
      update chat_messages set body = null, removed_at = now(), removed_by = 'Author'
        where game_id = '${chat.gameId}' and number = 2; end $$`);
    await hears(stream, "meanwhile");
    await hears(stream, "Deleted");
  });

  test("of the database, streams stay open and hear what was written", async () => {
    let isDown = false;
    const db = watchQueries(chat.app.db, () => {
      if (isDown) throw new Error("no database");
    });
    const { url } = await chat.start({ own: { ...chat.app, db } });
    const stream = await chat.open(url);
    await chat.write("before");
    await hears(stream, "before");
    isDown = true;
    await chat.write("in it");
    const late = await chat.open(url);
    isDown = false;
    for (const each of [stream, late]) await hears(each, "in it");
  });
});

test("200 messages by ten at once are heard by all, each once and in one order", async () => {
  const [one, two] = [await chat.start(), await chat.start()];
  const writers: string[] = [];
  for (let n = 0; n < 10; n += 1) writers.push((await memberOf(chat.database, chat.gameId)).userId);
  const last = String((await messagesOf(chat.app.db, chat.gameId)).length);
  const urls = Array.from({ length: 10 }, (_, n) => (n % 2 ? one : two).url);
  const streams = await Promise.all(urls.map((url) => chat.open(url, { after: last })));
  const times = Array.from({ length: 20 }, (_, n) => hoursLater(n / 60));
  await Promise.all(
    writers.map(async (userId, w) => {
      for (const [n, at] of times.entries()) {
        await say(chat.app.db, { gameId: chat.gameId, userId }, { body: `${w} ${n}`, now: at });
      }
    }),
  );
  const stored = (await messagesOf(chat.app.db, chat.gameId))
    .map(({ number }) => number)
    .slice(Number(last));
  expect(stored).toHaveLength(200);
  for (const stream of streams) {
    await vi.waitFor(() => expect(streamedMessages(stream)).toHaveLength(200));
    expect(streamedMessages(stream).map((view) => view?.number)).toEqual(stored);
  }
});

test("for a round the messages, then the sessions, then the bookings are read once, however many follow", async () => {
  const asked: string[] = [];
  const db = watchQueries(chat.app.db, (query) => asked.push(JSON.stringify(query)));
  const { url } = await chat.start({ own: { ...chat.app, db } });
  const streams = await Promise.all(Array.from({ length: 20 }, () => chat.open(url)));
  for (const stream of streams) await lastOf(stream, 1, "chat");
  const before = asked.length;
  await chat.write("to all");
  for (const stream of streams) await hears(stream, "to all");
  // The rights last: who has been removed since hears none of the messages.
  const tables = asked.slice(before).map((query) => TABLES.find((table) => query.includes(table)));
  expect(tables).toEqual(["removed_after", "sessions", "bookings"]);
});
const TABLES = ["removed_after", "sessions", "bookings"];

test("a reader who takes nothing is dropped, and the others are not", async () => {
  const { url, live, server } = await chat.start({ waitingBytes: 1_000 });
  const slow = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  await once(slow, "connect");
  server.once("request", (request) => request.socket.cork());
  slow.write(
    `GET /live?chat=${chat.gameId}&after=0 HTTP/1.1\r\nHost: a\r\nCookie: ${chat.bo.cookie}\r\n\r\n`,
  );
  await vi.waitFor(() => expect(live.count()).toBe(1));
  const stream = await chat.open(url);
  let n = 0;
  for (; live.count() > 1; n += 1) {
    chat.now = new Date(chat.now.getTime() + 61_000);
    await chat.write(`${n} ${"x".repeat(400)}`);
    await hears(stream, `${n} ${"x".repeat(400)}`);
  }
  expect(live.count()).toBe(1);
  // Eight times what one of games may wait for, and each is more than half of that.
  expect(n).toBeGreaterThan(4);
  slow.destroy();
});
