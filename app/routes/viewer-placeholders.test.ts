import fc from "fast-check";
import type { Updateable } from "kysely";
import { type RequestHandler, UNSAFE_decodeViaTurboStream as decode } from "react-router";
import { createElement, Suspense } from "react";
import { beforeAll, expect, test } from "vitest";
import { pagesRendered } from "#app/platform/observability/metrics.server.ts";
import type { Schema } from "#app/platform/schema.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { anyText } from "#test/any-text.ts";
import { requestContext, testApp } from "#test/app.ts";
import { say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { allHostileTexts } from "#test/hostile-texts.ts";
import { signIn } from "#test/visit.ts";
import { openSite, siteHandler } from "#test/whole-site.ts";
import type { App } from "./context.server.ts";
import { placeholdersContext } from "./viewer-placeholders.server.ts";

interface Player {
  userId: string;
  cookie: string;
}

const database = useDatabase();
let app: App;
let handle: RequestHandler;
let gameId: string;
let freeGameId: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  handle = await siteHandler();
  gameId = await aGame(app.db, { startsIn: 30 });
  freeGameId = await aGame(app.db, { startsIn: 54, is_first_session_free: true });
});

async function player(name: string, credits = 50): Promise<Player> {
  const userId = await aPlayer(app.db, { name, credits });
  return { userId, cookie: await signIn(app, userId) };
}

async function join({ userId: playerId }: Player, id = gameId) {
  const joined = await joinGame(app.db, app.jobs, { gameId: id, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
}

const change = ({ userId }: Player, columns: Updateable<Schema["profiles"]>) =>
  app.db.updateTable("profiles").set(columns).where("user_id", "=", userId).execute();

async function open(path: string, { cookie }: Player, context = requestContext(app)) {
  const request = new Request(`http://kickabout.test${path}`, { headers: { cookie } });
  const response = await handle(request, context);
  expect(response.status).toBe(200);
  return response.text();
}

/** Rendered for this player alone, with no word taken out. */
function openAlone(path: string, who: Player) {
  const context = requestContext(app);
  const set = context.set.bind(context);
  context.set = (key, value) => {
    if ((key as unknown) !== placeholdersContext) set(key, value);
  };
  return open(path, who, context);
}

const DATA =
  /<script nonce="[^"]*">window\.__reactRouterContext\.streamController\.enqueue\((.*?)\);<\/script>/;

/** The markup, and the data that the browser hydrates with: equal texts may be written in two ways. */
async function partsOf(html: string) {
  const text = JSON.parse(DATA.exec(html)![1]!) as string;
  const { value } = await decode(new Response(text).body!, globalThis);
  return { markup: html.replace(DATA, ""), data: value };
}

// A form has another key each time.
const sameKey = (html: string) => {
  const key = /name="(?:formKey|messageId)" value="([\w-]{36})"/.exec(html)?.[1];
  return key ? html.replaceAll(key, "the-key") : html;
};

async function rendered(run: () => Promise<unknown>): Promise<number> {
  const count = async () => (await pagesRendered.get()).values[0]!.value;
  const before = await count();
  await run();
  return (await count()) - before;
}

async function expectShared(path: string, who: Player) {
  expect(await rendered(() => open(path, who))).toBe(0);
  const [filled, alone] = [await open(path, who), await openAlone(path, who)].map(sameKey);
  expect(await partsOf(filled!)).toEqual(await partsOf(alone!));
}

const gamePath = () => `/events/${gameId}`;

test("players who differ in their placeholders only share a page, and each reads their own", async () => {
  const [ann, bo, otto] = [await player("Ann", 50), await player("Bo", 61), await player("Otto")];
  for (const each of [ann, bo, otto]) await join(each);
  await say(app.db, { gameId, userId: ann.userId });
  await say(app.db, { gameId, userId: otto.userId });
  for (const path of ["/events", gamePath()]) {
    await open(path, ann);
    await expectShared(path, ann);
    await expectShared(path, bo);
  }
  expect(await open("/events", ann)).toContain("1 unread message<");
  expect(await open("/events", bo)).toContain("2 unread messages<");
});

test("who may still join a game shares its page, with a balance and a form of their own", async () => {
  const [ann, bo] = [await player("Ann", 50), await player("Bo", 61)];
  const keyIn = (html: string) => /name="formKey" value="([\w-]{36})"/.exec(html)?.[1];
  const [first, second] = [await open(gamePath(), ann), await open(gamePath(), ann)];
  expect(first).toContain("Balance after: 40 credits");
  expect(keyIn(first)).not.toBe(keyIn(second));
  expect(await rendered(() => open(gamePath(), bo))).toBe(0);
  expect(await open(gamePath(), bo)).toContain("Balance after: 51 credits");
});

const DIFFERENCES: Record<string, (who: Player) => Promise<unknown>> = {
  "a game that is joined": (who) => join(who),
  "the role of an admin": async ({ userId }) => {
    const users = app.db.selectFrom("users").select("email").where("id", "=", userId);
    await makeAdmin(app.db, (await users.executeTakeFirstOrThrow()).email, "a test");
  },
  "a used free session": async (who) => {
    await join(who, freeGameId);
    const booking = app.db.updateTable("bookings").set({ payment_status: "Cancelled" });
    await booking.where("user_id", "=", who.userId).execute();
  },
  "a picture": (who) => change(who, { profile_picture_url: "/files/avatars/a-512.webp" }),
};

test.each(Object.entries(DIFFERENCES))("%s is on no page of another player", async (_, make) => {
  const [ann, bo] = [await player("Ann"), await player("Ann")];
  await open("/events", ann);
  await expectShared("/events", bo);
  await make(bo);
  expect(await rendered(() => open("/events", bo))).toBe(1);
  await expectShared("/events", bo);
  await open("/events", ann);
  await expectShared("/events", ann);
});

test("whatever a player is called, the page is the one that is rendered for that player", async () => {
  const [ann, bo] = [await player("Ann"), await player("Bo")];
  await open("/events", ann);
  const hostile = allHostileTexts().map(({ text }) => text);
  const name = fc
    .oneof(fc.constantFrom(...hostile), anyText({ minLength: 1 }))
    .map((text) => [...text.replaceAll("\0", "").toWellFormed().trim()].slice(0, 40).join(""))
    .filter((text) => text.trim() !== "");
  const property = fc.asyncProperty(name, name, async (first_name, last_name) => {
    await change(bo, { first_name, last_name });
    await expectShared("/events", bo);
  });
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});

test("a page on which React had an error is kept for nobody", async () => {
  let isBroken = true;
  const Part = () => {
    if (isBroken) throw new Error("a part that cannot be rendered");
    return "every part is here";
  };
  const page = () =>
    createElement(Suspense, { fallback: "a part is missing" }, createElement(Part));
  const module = { default: page, loader: () => null };
  const site = await openSite(app, { path: "parts", parentId: "routes/layouts/protected", module });
  const { cookie } = await player("Ann");
  const read = async () => (await site("/parts", { cookie })).text();
  expect(await read()).toContain("a part is missing");
  isBroken = false;
  expect(await read()).toContain("every part is here");
});
