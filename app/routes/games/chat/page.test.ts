import { sql } from "kysely";
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { memberOf, messagesOf, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, hoursLater, NOW } from "#test/fixtures.ts";
import { textOf as screenText } from "#test/screen.tsx";
import { signIn, visit } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { announceMessage } from "#app/features/chat/announce.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { toDays } from "./groups.ts";
import { loader } from "./show.tsx";

const database = useDatabase();
let now = NOW;
let app: App;
let ask: AskSite;
let gameId: string;
let path: string;
let reader: { userId: string; cookie: string };
beforeAll(async () => {
  app = testApp(database, () => now);
  ask = await openSite(app);
});
beforeEach(async () => {
  now = NOW;
  gameId = await aGame(app.db);
  path = `/events/${gameId}/chat`;
  reader = await member("Bo");
});

async function member(name: string, lastName?: string) {
  const { userId } = await memberOf(database, gameId, name);
  if (lastName) {
    const profile = app.db.updateTable("profiles").set({ last_name: lastName });
    await profile.where("user_id", "=", userId).execute();
  }
  return { userId, gameId, cookie: await signIn(app, userId) };
}
/** Not one by one, as no player could. */
const sayMany = (userId: string, count: number, at = NOW) =>
  sql`with numbered as (
      update chats set last_number = last_number + ${count} where game_id = ${gameId}
      returning last_number)
    insert into chat_messages (game_id, number, user_id, body, created_at)
    select ${gameId}, last_number - ${count} + n, ${userId}, 'x', ${at}
    from numbered, generate_series(1, ${count}::int) n`.execute(app.db);
const textOf = async (address: string, { cookie } = reader) =>
  (await (await ask(address, { cookie })).text()).replaceAll("<!-- -->", "");
const open = async (query = "") =>
  (await visit(app, loader, { path: path + query, cookie: reader.cookie })).data.chat;

test("the title and the header name the game, and My Games is its tab", async () => {
  const html = await textOf(path);
  expect(html).toMatch(/<title>Chat: Campus Hall, \w{3}, Nov \d+, 12:00 · Kickabout<\/title>/);
  expect(html).toMatch(
    /<h1[^>]*><span class="sr-only">Chat: <\/span><span translate="no">Campus Hall<\/span><\/h1>/,
  );
  expect(html).toMatch(
    /href="\/bookings"[^>]*aria-current="page"|aria-current="page"[^>]*href="\/bookings"/,
  );
});

test("a first game is said to oneself as one's own, here and on the page of the game", async () => {
  await member("Aino");
  for (const address of [path, `/events/${gameId}`]) {
    const html = (await textOf(address)).replaceAll(/<script[\s\S]*?<\/script>/g, "");
    expect(html).toContain("This is your first game.");
    expect(html).not.toContain("This is Bo&#x27;s first game");
    expect(html).toContain("This is Aino&#x27;s first game. Say hi!");
  }
});

test("players of the same first name are told apart, by those who are in or have written", async () => {
  const virtanen = await member("Aino", "Virtanen");
  await say(app.db, virtanen, { body: "I bring the ball" });
  const names = async () => {
    const chat = await open();
    return toDays(chat.messages, chat).flatMap(({ groups }) => groups.map(({ name }) => name));
  };
  expect((await names()).at(-1)).toBe("Aino");
  const korhonen = await member("Aino", "Korhonen");
  await say(app.db, korhonen, { body: "Me too" });
  expect((await names()).filter((name) => name !== "Bo")).toEqual([
    ...["Aino V.", "Aino V.", "Aino K.", "Aino K."],
  ]);
  expect(await textOf(`/events/${gameId}`)).toMatch(/<strong[^>]*>Aino K\.<\/strong>/);
  expect(await textOf(path)).toMatch(
    new RegExp(`href="/profile/${korhonen.userId}"[^>]*>Aino K.<`),
  );
  await member("Aino", "Kallio");
  expect(await names()).toContain("Aino Korhonen");
});

test("a player who left keeps a whole name only on the pages with their messages", async () => {
  const left = await member("Aino", "Virtanen");
  await say(app.db, left, { body: "See you" });
  const ended = { payment_status: "Cancelled", end_reason: "Left", cancelled_at: NOW } as const;
  await app.db.updateTable("bookings").set(ended).where("user_id", "=", left.userId).execute();
  await member("Aino", "Korhonen");
  const names = async () => Object.values((await open()).names).toSorted();
  expect(await names()).toEqual(["Aino K.", "Aino V."]);
  await sayMany(reader.userId, 100);
  expect(await names()).toEqual([]);
  expect(Object.values((await open("?before=5")).names)).toHaveLength(2);
});

test("a page whose messages cannot be marked as read shows them", async () => {
  const mark = app.db.schema.alterTable("chat_members");
  await sql`alter table chat_members add constraint broken check (read_number < 0) not valid`.execute(
    app.db,
  );
  onTestFinished(() => mark.dropConstraint("broken").execute());
  const warnings = vi.spyOn(log, "warn");
  expect(await textOf(path)).toContain("This is your first game.");
  expect(warnings).toHaveBeenCalledWith(expect.anything(), "messages could not be marked as read");
});

test("the page of the game marks organisers", async () => {
  const { id } = await anAdmin(app);
  const said = { gameId, actorId: id, subject: "Pitch 2", message: "Not 1", isPinned: false };
  await app.db.transaction().execute((tx) => announceMessage(tx, { ...said, now: NOW }));
  await say(app.db, { gameId, ...reader }, { body: "Fine" });
  const html = await textOf(`/events/${gameId}`);
  expect(html).toMatch(
    /<strong[^>]*>\w+<\/strong><span[^>]*>Organiser<\/span><span[^>]*>[^<]*<\/span><\/p><p[^>]*>Pitch 2</,
  );
  expect(html).not.toMatch(/<strong[^>]*>Bo<\/strong><span[^>]*>Organiser/);
});

test("the page of the game says when and by whom, with pictures and links", async () => {
  const { userId, ...aino } = await member("Aino");
  const picture = app.db.updateTable("profiles").set({ profile_picture_url: "/files/a-512.webp" });
  await picture.where("user_id", "=", userId).execute();
  await say(app.db, { userId, ...aino }, { body: "See www.maps.example/x" });
  now = hoursLater(24);
  const html = await textOf(`/events/${gameId}`);
  const chat = html.slice(html.indexOf(">Chat</h2>"));
  expect(chat).toMatch(/<img src="\/files\/a-512.webp"[^>]*>/);
  expect(chat).toMatch(/>Aino<\/strong><span[^>]*>Yesterday, 12:00</);
  expect(chat).toContain('<a href="https://www.maps.example/x" target="_blank" rel="nofollow ugc');
  expect(await textOf(path)).toMatch(/<img src="\/files\/a-512.webp"[^>]*>/);
});

test("a line is above the first unread message, until the page is opened again", async () => {
  const writer = await member("Aino");
  await textOf(path);
  await say(app.db, writer, { now: hoursLater(1) });
  await say(app.db, writer, { now: hoursLater(1) });
  const html = await textOf(path);
  const around = (await messagesOf(app.db, gameId)).slice(-3);
  const ids = [...html.matchAll(/id="(new|message-[^"]*)"/g)].map(([, id]) => id);
  const [read, first, second] = around.map(({ id }) => `message-${id}`);
  expect(ids.slice(-4)).toEqual([read, "new", first, second]);
  expect(ids.filter((id) => id === "new")).toHaveLength(1);
  expect(await textOf(path)).not.toContain('id="new"');
});

test("more unread messages than the page has begin with its first", async () => {
  const writer = await member("Aino");
  await textOf(path);
  await sayMany(writer.userId, 130, hoursLater(1));
  const chat = await open();
  expect(chat.firstUnread).toBe(chat.messages[0]!.number);
});

test("earlier messages open at their end", async () => {
  await sayMany(reader.userId, 130);
  expect(await textOf(path)).toContain(`href="${path}?before=32#latest"`);
});

test("a closed chat offers no mute, and what is long is behind a press", async () => {
  await say(app.db, { gameId, ...reader }, { body: "x\n".repeat(30) + "the end" });
  const html = await textOf(path);
  expect(html).toContain('value="mute"');
  expect(html).toMatch(/Read more<\/summary><p[^>]*>(x\n)+the end/);
  now = hoursLater(48 + 1.5 + 24);
  expect(await textOf(path)).not.toContain('value="mute"');
});

test("what cannot be undone is asked once more, also without JavaScript", async () => {
  await say(app.db, { gameId, ...reader }, { body: "My own" });
  await say(app.db, await member("Aino"), { body: "Of another" });
  const html = await textOf(path);
  const asked = [...html.matchAll(/<details class="group\/ask">(.*?)<\/details>/gs)].map(([, at]) =>
    screenText(at!),
  );
  expect([...new Set(asked)]).toEqual([
    "|Delete|Delete message?|Yes, delete|",
    "|Report|Report to the organisers?|Yes, report|",
  ]);
});

test("as plain HTML every form leads to the newest message", async () => {
  const html = await textOf(path);
  for (const intent of ["send", "mute"]) {
    const form = html.split("<form").find((part) => part.includes(`value="${intent}"`));
    expect(form, intent).toContain(`action="${path}#latest"`);
  }
});

test("the chat of a cancelled game says so at its top", async () => {
  const top = async () => screenText((await textOf(path)).split("</header>")[1] ?? "");
  expect(await top()).not.toContain("Cancelled");
  const call = app.db.updateTable("games").set({ status: "Cancelled" });
  await call.where("id", "=", gameId).execute();
  expect(await top()).toMatch(/\|Campus Hall\|Cancelled · [^|]+, \d\d:\d\d\|/);
});

test("My Games leads to each chat that can be read", async () => {
  const link = `href="${path}#latest"`;
  const linkAfter = async (hours: number) => {
    now = hoursLater(hours);
    reader.cookie = await signIn(app, reader.userId);
    return (await textOf("/bookings")).includes(link);
  };
  const days = 24 * 90;
  expect([await linkAfter(0), await linkAfter(49 + days), await linkAfter(49.5 + days)]).toEqual([
    ...[true, true, false],
  ]);
  const left = { payment_status: "Cancelled", end_reason: "Left", cancelled_at: NOW } as const;
  await app.db.updateTable("bookings").set(left).where("user_id", "=", reader.userId).execute();
  expect(await linkAfter(0)).toBe(false);
});
