import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "react-router";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase, watchQueries } from "#test/db.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { signIn } from "#test/visit.ts";
import { openSite, siteHandler } from "#test/whole-site.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import type { FinishedPage } from "#app/platform/page-cache.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { createVisitorPages } from "./game-page.server.ts";

const database = useDatabase();
let app: App;
let rendered = 0;
let handle: RequestHandler;
let pages: ReturnType<typeof createVisitorPages>;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  handle = await siteHandler();
});
beforeEach(() => {
  rendered = 0;
  const counting: RequestHandler = (...args) => ((rendered += 1), handle(...args));
  pages = createVisitorPages(counting);
});

function ask(path: string, { method = "GET", cookie }: { method?: string; cookie?: string } = {}) {
  const headers = cookie === undefined ? {} : { cookie };
  return pages(app, { url: path, method, headers } as IncomingMessage);
}

const html = (page: FinishedPage | null) => page?.bodies.identity.toString() ?? "";

test("a page is rendered once and served from its bytes", async () => {
  const path = `/events/${await aGame(app.db)}`;
  const all = await Promise.all(Array.from({ length: 5 }, () => ask(path)));
  expect(html(all[0]!)).toContain("10 spots left");
  expect(new Set([...all, await ask(path, { method: "HEAD" })]).size).toBe(1);
  expect(rendered).toBe(1);
});

test("a page shows every character as it was written", async () => {
  const name = "Mäkelänrinne – Äijät ⚽ €";
  const gameId = await aGame(app.db);
  await app.db.updateTable("venues").set({ name }).execute();
  expect(html(await ask(`/events/${gameId}`))).toContain(`>${name}</`);
});

test("an edit by SQL shows at once, and so does taking it back", async () => {
  const gameId = await aGame(app.db);
  const path = `/events/${gameId}`;
  const setSpots = (spots: number) =>
    app.db.updateTable("games").set({ max_players: spots }).where("id", "=", gameId).execute();
  for (const spots of [10, 7, 10, 3]) {
    await setSpots(spots);
    expect(html(await ask(path))).toContain(`${spots} spots left`);
  }
  await app.db.updateTable("venues").set({ name: "Harbour Cage" }).execute();
  expect(html(await ask(path))).toContain("Harbour Cage");
  await app.db.updateTable("games").set({ status: "Draft" }).where("id", "=", gameId).execute();
  expect(await ask(path)).toBeNull();
});

test("a request with a cookie of ours gets a page of its own", async () => {
  const path = `/events/${await aGame(app.db)}`;
  const cookie = await signIn(app, await aPlayer(app.db));
  const [toast = ""] = (await toastCookie(app.env, { title: "Joined" })).split(";");
  expect(await ask(path)).not.toBeNull();
  expect(await ask(path, { cookie })).toBeNull();
  expect(await ask(path, { cookie: `theme=dark; ${cookie}` })).toBeNull();
  expect(await ask(path, { cookie: toast })).toBeNull();
  expect(await ask(path, { cookie: "theme=dark" })).not.toBeNull();
});

test("only a plain GET or HEAD of a game is served", async () => {
  const gameId = await aGame(app.db);
  expect(await ask(`/events/${gameId}`, { method: "POST" })).toBeNull();
  const others = [`/events/${gameId}?x=1`, `/events/${gameId}.data`, "/events", "/events/none"];
  for (const path of others) expect(await ask(path)).toBeNull();
  expect(rendered).toBe(0);
});

test("the policy names every inline script by its hash, and nothing else", async () => {
  const page = await ask(`/events/${await aGame(app.db)}`);
  const policy = page!.headers["content-security-policy"]!;
  // Structured data is no script: it does not run, and no policy asks about it.
  const inline = [
    ...html(page).matchAll(/<script(?![^>]*(?:\ssrc=|ld\+json))[^>]*>([\s\S]*?)<\/script>/g),
  ];
  const hashes = inline.map(([, code = ""]) => createHash("sha256").update(code).digest("base64"));
  expect(inline.length).toBeGreaterThan(2);
  const sources = hashes.map((hash) => `'sha256-${hash}'`);
  expect(policy.split("; ").at(-1)).toBe(["script-src 'self'", ...sources].join(" "));
  expect(html(page) + policy).not.toContain("nonce");
});

test("a page for visitors is read from the replica, and a player's own from the primary", async () => {
  const path = `/events/${await aGame(app.db)}`;
  let shared = 0;
  const db = watchQueries(app.db, () => (shared += 1));
  const replica = { read: <T>(load: (from: typeof db) => Promise<T>) => load(db) } as never;
  const read = (headers: object) =>
    pages({ ...app, replica }, { url: path, method: "GET", headers } as IncomingMessage);
  expect(html(await read({}))).toContain("10 spots left");
  expect(shared).toBeGreaterThan(0);
  shared = 0;
  const cookie = await signIn(app, await aPlayer(app.db));
  expect(await read({ cookie })).toBeNull();
  const site = await openSite({ ...app, replica });
  expect((await site(path, { cookie })).status).toBe(200);
  expect(shared).toBe(0);
});
