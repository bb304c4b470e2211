import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { memberOf, messagesOf } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, NOW } from "#test/fixtures.ts";
import { someHostileTexts } from "#test/hostile-texts.ts";
import { untilBlocked } from "#test/lock-order.ts";
import { isLong } from "#test/long.ts";
import { readPage } from "#test/html-checker.ts";
import { signIn, visit } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { chatInput } from "#app/features/chat/input.ts";
import type { App } from "#app/routes/context.server.ts";
import type { ChatResult } from "./actions.server.ts";
import { choicesOf, toDays } from "./groups.ts";
import { action, loader } from "./show.tsx";

const database = useDatabase();
let now = NOW;
let app: App;
let ask: AskSite;
let gameId: string;
let path: string;
let cookie: string;
let player: string;
beforeAll(async () => {
  app = testApp(database, () => now);
  ask = await openSite(app);
});
beforeEach(async () => {
  now = NOW;
  gameId = await aGame(app.db);
  path = `/events/${gameId}/chat`;
  player = (await memberOf(database, gameId, "Aino")).userId;
  cookie = await signIn(app, player);
});

const later = (minutes: number) => (now = new Date(now.getTime() + minutes * 60_000));
async function send(message: string, more: Record<string, string> = {}, who = cookie) {
  const body = { intent: "send", message, messageId: randomUUID(), ...more };
  const visited = await visit(app, action, { path, cookie: who, body });
  return { ...visited, data: visited.data as unknown as ChatResult | null };
}
const open = async (query = "", who = cookie) =>
  (await visit(app, loader, { path: path + query, cookie: who })).data.chat;
const textOf = (messages: { parts: { text: string }[] }[]) =>
  messages.map(({ parts }) => parts.map(({ text }) => text).join(""));

describe("a form", () => {
  test("leads to the end of the chat; with the page's script it stays", async () => {
    const { status, headers } = await send("See you");
    expect([status, headers.get("Location")]).toEqual([302, `${path}#latest`]);
    const messageId = randomUUID();
    const stayed = await send("Me too", { stay: "1", messageId });
    expect([stayed.status, stayed.data]).toEqual([200, { sent: messageId }]);
    const repeated = await send("Me too", { stay: "1", messageId });
    expect([repeated.status, repeated.data]).toEqual([200, { sent: messageId }]);
    expect((await messagesOf(app.db, gameId)).slice(1).map(({ body }) => body)).toEqual([
      ...["See you", "Me too"],
    ]);
  });

  // spec: 5.10, 9.13
  test.each([
    ["", "Message cannot be empty"],
    ["<b></b>", "Message cannot be empty"],
    ["x".repeat(501), "Message is too long (max 500 characters)"],
  ])("%j is a 422 and keeps what was typed", async (message, error) => {
    const { status, data } = await send(message);
    expect(status).toBe(422);
    expect(data).toMatchObject({ fieldErrors: { message: error }, values: { message } });
  });

  test("of five hundred characters is stored as they are, of any script", async () => {
    const texts = ["😀".repeat(500), "𠜎".repeat(500), "각".normalize("NFD").repeat(500)];
    for (const text of texts) expect((await send(text)).status).toBe(302);
    const stored = (await messagesOf(app.db, gameId)).slice(1).map(({ body }) => body);
    expect(stored).toEqual(texts.map((text) => text.normalize()));
  });

  test("that was used for another text is a 409", async () => {
    const messageId = randomUUID();
    await send("One", { messageId });
    const { status, data } = await send("Two", { messageId });
    expect([status, data?.values]).toEqual([409, { message: "Two", messageId }]);
  });

  test("of who is suspended while it is on its way is a 403 that says so", async () => {
    const { sending } = await app.db.transaction().execute(async (tx) => {
      const suspended = { suspended_at: NOW, suspended_reason: "Rough play" };
      await tx.updateTable("users").set(suspended).where("id", "=", player).execute();
      const sending = send("Late");
      await untilBlocked(tx, app.db, sending);
      return { sending };
    });
    const { status, data } = await sending;
    expect([status, data?.formError]).toEqual([403, "Your account is suspended."]);
    expect(data?.values).toMatchObject({ message: "Late" });
  });

  test("too fast is a 429 that says how long to wait, and keeps what was typed", async () => {
    for (let n = 0; n < 5; n += 1) expect((await send(`${n}`)).status).toBe(302);
    const { status, headers, data } = await send("Six");
    expect([status, headers.get("Retry-After")]).toEqual([429, "10"]);
    expect(data).toMatchObject({
      values: { message: "Six" },
      formError: "You are writing very fast. Wait 10 seconds, then send it again.",
    });
    later(9.2 / 60);
    expect((await send("Six")).data?.formError).toContain("Wait 1 second, then");
  });
});

describe("the page", () => {
  test("groups by day, by person, and within five minutes", async () => {
    const bo = await signIn(app, (await memberOf(database, gameId, "Bo")).userId);
    now = new Date("2026-11-20T21:50:00Z");
    await send("one");
    later(5);
    await send("two");
    later(5.1);
    await send("three");
    await send("four", {}, bo);
    now = new Date("2026-11-21T10:00:00Z");
    const chat = await open();
    const shown = toDays(chat.messages, chat).map(({ label, groups }) => [
      label,
      ...groups.map(({ first, isOwn, messages }) => [first.name, isOwn, ...textOf(messages)]),
    ]);
    expect(shown).toEqual([
      [
        "Today",
        ["Aino", false, "This is Aino's first game. Say hi!"],
        ["Bo", false, "This is Bo's first game. Say hi!"],
      ],
      ["Yesterday", ["Aino", true, "one", "two"]],
      ["Today", ["Aino", true, "three"], ["Bo", false, "four"]],
    ]);
  });

  test("has the last hundred, and the way to those before", async () => {
    const rows = Array.from({ length: 130 }, (_, n) => ({
      ...{ game_id: gameId, number: n + 2, user_id: player, body: `m${n + 2}`, created_at: NOW },
    }));
    await app.db.insertInto("chat_messages").values(rows).execute();
    const numbers = async (query = "") => {
      const { messages: all } = await open(query);
      return [all[0]!.number, all.at(-1)!.number, all.length];
    };
    expect(await numbers()).toEqual([32, 131, 100]);
    expect(await numbers("?before=32")).toEqual([1, 31, 31]);
    expect(await numbers("?before=0x")).toEqual([32, 131, 100]);
    const pageOf = async (query: string) => (await ask(path + query, { cookie })).text();
    expect(await pageOf("")).toContain("?before=32");
    expect(await pageOf("?before=32")).not.toContain("Earlier messages");
  });

  test("says in its place what is gone, and who may remove what", async () => {
    const { id: admin } = await anAdmin(app);
    const organiser = await signIn(app, admin);
    await send("mine");
    await send("theirs", {}, organiser);
    const ids = (await messagesOf(app.db, gameId)).map(({ id }) => id);
    const removals = async (who: string) => {
      const chat = await open("", who);
      const choices = chat.messages.map((message) => choicesOf(message, chat));
      return choices.map((each) => each.find(({ intent }) => intent === "remove")?.label ?? null);
    };
    expect(await removals(cookie)).toEqual(["Delete", "Delete", null]);
    expect(await removals(organiser)).toEqual(["Remove", "Remove", "Delete"]);
    const removeMessage = (messageId: string, who: string) =>
      visit(app, action, { path, cookie: who, body: { intent: "remove", messageId } });
    expect((await removeMessage(ids[2]!, cookie)).status).toBe(403);
    const { status, headers } = await removeMessage(ids[1]!, organiser);
    expect([status, headers.get("Location")]).toEqual([302, `${path}#message-${ids[1]}`]);
    expect((await removeMessage(ids[2]!, organiser)).status).toBe(302);
    expect((await removeMessage(randomUUID(), organiser)).status).toBe(404);
    const html = await (await ask(path, { cookie })).text();
    expect(html).toContain("Removed by an organiser");
    expect(html).toContain(">Deleted<");
    expect(html).not.toMatch(/mine|theirs/);
    expect(html).toContain(">Organiser<");
  });

  test("links to the web, and to nowhere else", async () => {
    await send("See https://maps.example/x?a=1&b=2, call +358 40 1, javascript:alert(1)");
    const html = await (await ask(path, { cookie })).text();
    expect(html.match(/<a href="https:\/\/maps[^>]*>/g)).toEqual([
      '<a href="https://maps.example/x?a=1&amp;b=2" target="_blank" rel="nofollow ugc noopener" class="underline underline-offset-2">',
    ]);
    expect(html).not.toMatch(/href="(tel|javascript):/);
  });
});

const HOSTILE = isLong ? 300 : 60;

test(
  `of ${HOSTILE} hostile messages none becomes markup, on the chat's page and the game's`,
  { timeout: 120_000 },
  async () => {
    const wrong: string[] = [];
    for (const [n, { text }] of someHostileTexts(HOSTILE).entries()) {
      later(1.1);
      const { status } = await send(text);
      const isValid = chatInput.safeParse({ message: text.toWellFormed() }).success;
      if (status !== (isValid ? 302 : 422)) wrong.push(`${text}: ${status}`);
      // Each is on one of the pages that are looked at: the game's has the last three.
      const pages = [n % 50 === 9 && path, n % 3 === 2 && `/events/${gameId}`];
      for (const page of pages.filter((one) => one !== false)) {
        const response = await ask(page, { cookie });
        const policy = response.headers.get("Content-Security-Policy") ?? "";
        wrong.push(...readPage(await response.text(), policy).problems);
      }
    }
    expect(wrong).toEqual([]);
  },
);
