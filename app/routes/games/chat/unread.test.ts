import { beforeAll, beforeEach, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { memberOf, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { linksOf } from "#test/screen.tsx";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let ask: AskSite;
let gameId: string;
let path: string;
let cookie: string;
let writer: { userId: string; gameId: string };
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ask = await openSite(app);
});
beforeEach(async () => {
  gameId = await aGame(app.db);
  path = `/events/${gameId}/chat`;
  writer = { gameId, ...(await memberOf(database, gameId, "Aino")) };
  cookie = await signIn(app, (await memberOf(database, gameId, "Bo")).userId);
});

const textOf = async (address: string) =>
  (await (await ask(address, { cookie })).text()).replaceAll("<!-- -->", "");
/** What the navigation says, once for large screens and once for phones. */
const marks = (html: string) => [...html.matchAll(/aria-description="(.*?)"/g)].map(([, at]) => at);
const markOf = async (address: string) => {
  return marks(await textOf(address)).filter((text) => text!.includes("unread"));
};
const THREE = ["3 unread messages", "3 unread messages"];

async function threeUnread() {
  await ask(path, { cookie });
  for (let n = 0; n < 3; n += 1) await say(app.db, writer, { now: hoursLater(n) });
}

test("unread messages are marked in the navigation, on the ticket and on the card", async () => {
  await threeUnread();
  for (const page of ["/events", "/bookings", "/profile", "/venues"]) {
    expect(await markOf(page), page).toEqual(THREE);
  }
  // It has the header alone.
  expect(await markOf(`/events/${gameId}`)).toEqual(THREE.slice(1));
  const ticket = await textOf("/bookings");
  expect(ticket).toContain(`href="${path}#latest"`);
  expect((await textOf("/events")).match(/>3 unread messages</g)).toHaveLength(1);
  cookie = await signIn(app, await aPlayer(app.db));
  expect(await markOf("/bookings")).toEqual([]);
});

test("the game's page leads to its chat in one place, which says how many are unread", async () => {
  await threeUnread();
  const page = async () =>
    linksOf(await textOf(`/events/${gameId}`)).filter((link) => link.includes("/chat"));
  expect(await page()).toEqual([`Open chat (3 unread) → ${path}#latest`]);
  await ask(path, { cookie });
  expect(await page()).toEqual([`Open chat → ${path}#latest`]);
  cookie = await signIn(app, await aPlayer(app.db));
  expect((await page()).join()).not.toContain("/chat");
});

test("the chat's own page shows no mark of its messages, and they are read with it", async () => {
  await threeUnread();
  expect(await markOf(path)).toEqual([]);
  expect(await markOf("/bookings")).toEqual([]);
});

test("its data marks as well; a page that is fetched ahead does not, nor the game's own", async () => {
  await threeUnread();
  const ahead = { "Sec-Purpose": "prefetch" };
  for (const address of [path, `${path}.data`]) await ask(address, { cookie, headers: ahead });
  await ask(path, { cookie, headers: { "Sec-Purpose": "prefetch;prerender" } });
  await textOf(`/events/${gameId}`);
  expect(await markOf("/bookings")).toEqual(THREE);
  expect((await ask(`${path}.data`, { cookie })).status).toBe(200);
  expect(await markOf("/bookings")).toEqual([]);
});

test("earlier messages mark no later ones", async () => {
  await threeUnread();
  expect(await markOf(`${path}?before=4`)).toHaveLength(1);
  expect((await markOf("/bookings"))[0]).toBe("2 unread messages");
});

test("a chat is muted and unmuted for oneself, by who may read it", async () => {
  const mute = async (intent: string, who = cookie) =>
    (await ask(path, { cookie: who, body: new URLSearchParams({ intent }) })).status;
  expect(await textOf(path)).toContain('value="mute"');
  expect(await mute("mute")).toBe(302);
  expect(await textOf(path)).toContain('value="unmute"');
  await threeUnread();
  expect(await textOf(path)).toContain("Muted: no push messages from this chat");
  cookie = await signIn(app, writer.userId);
  expect(await textOf(path)).toContain('value="mute"');
  expect(await mute("unmute")).toBe(302);
  expect(await mute("mute", await signIn(app, await aPlayer(app.db)))).toBe(403);
  expect(await mute("mute", "")).toBe(302);
  expect(
    await app.db
      .selectFrom("chat_members")
      .select("user_id")
      .where("is_muted", "=", true)
      .execute(),
  ).toHaveLength(1);
});

test("the page's script says what came meanwhile; anybody who may not read the chat marks nothing", async () => {
  await threeUnread();
  const read = (number: string, who = cookie) =>
    ask(`${path}.data`, { cookie: who, body: new URLSearchParams({ intent: "read", number }) });
  expect((await read("-1")).status).toBe(422);
  expect((await read("4")).status).toBe(200);
  expect((await markOf("/bookings"))[0]).toBe("1 unread message");
  expect((await read("3")).status).toBe(200);
  expect((await markOf("/bookings"))[0]).toBe("1 unread message");
  const stranger = await aPlayer(app.db);
  expect((await read("5", await signIn(app, stranger))).status).toBe(403);
  expect((await read("5", "")).status).toBe(202);
  const rows = app.db.selectFrom("chat_members").select("user_id").where("user_id", "=", stranger);
  expect(await rows.execute()).toEqual([]);
});
