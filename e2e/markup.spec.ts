import { sql } from "kysely";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { allHostileTexts } from "#test/hostile-texts.ts";
import { expect, test, whenStarted } from "./fixtures.ts";
import { enterPlayer } from "./players.ts";
import { type Site, startSite } from "./site.ts";
import { isLong } from "#test/long.ts";

/*
 * Every hostile text of test/hostile-texts.ts in every place of the database that a page shows, many on
 * one page, read by a browser: none of them may run, load, lead away or be held back by the policy.
 */
const TEXTS = allHostileTexts().map(({ text }) => text.replaceAll("\u0000", "").toWellFormed());

test.setTimeout(isLong ? 3_600_000 : 600_000);
let site: Site;
let database: Connection;
let cookie: string;
let places: Awaited<ReturnType<typeof storeTexts>>;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  site = await startSite();
  database = await connect({ databaseUrl: undefined, dataDir: site.dataDir });
  const player = await enterPlayer(site, database, { name: "reader", credits: 50 });
  cookie = player.cookie;
  await database.db
    .insertInto("user_roles")
    .values({ user_id: player.userId, role: "admin" })
    .execute();
  places = await storeTexts(database.db, player.userId);
});

test.afterAll(async () => {
  await database?.close();
  await site?.stop();
});

test("for a visitor no text runs or loads anything", async ({ browser }) => {
  const context = await browser.newContext({ baseURL: site.url });
  const pages = ["/", "/venues", `/events/${places.game}`, ...places.venues, "/terms", "/privacy"];
  pages.push(`/card/${places.token}`, "/demo/outbox", "/demo/checkout/monthly_4");
  await openAll(context, pages);
});

test("for a player and an admin no text runs or loads anything", async ({ browser }) => {
  const context = await asReader(browser);
  const pages = ["/events", `/events/${places.game}`, `/profile/${places.other}`, "/bookings"];
  pages.push("/profile", "/profile/player-card", "/wallet", "/settings/withdraw", "/venues");
  pages.push("/admin/payments", "/settings/contact-support", ...places.venues);
  await openAll(context, pages);
});

test("no message of a chat runs or loads anything, or is wider than the page", async ({
  browser,
}) => {
  const { chat } = places;
  const pages = ["", "?before=201", "?before=101"].map((query) => `/events/${chat}/chat${query}`);
  await openAll(await asReader(browser), pages, expectNoWider);
  // The page of the game has the last three messages: as much as fits into them, again and again.
  const bodies = packed(TEXTS.filter((text, n) => isLong || n % (isOdd(text) ? 3 : 27) === 0));
  for (let n = 0; n < bodies.length; n += 3) {
    await storeLast(database.db, chat, bodies.slice(n, n + 3));
    await openAll(await asReader(browser), [`/events/${chat}`], expectNoWider);
  }
});

test("no text in an address runs or loads anything", async ({ browser }) => {
  const context = await browser.newContext({ baseURL: site.url });
  const texts = TEXTS.filter((text, n) => text.length < 1_000 && (isLong || n % 123 === 0));
  const addresses = texts
    .map(encodeURIComponent)
    .flatMap((text, n) => [
      [`/auth?redirectTo=${text}&tab=${text}`, `/venues?city=${text}`][n % 2]!,
      [`/auth/reset?token=${text}`, `/nowhere/${text}`, `/venues#${text}`][n % 3]!,
    ]);
  await openAll(context, addresses);
});

test("what would run is seen to run", async ({ browser }) => {
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  const problems = await listen(page, site.url);
  await page.goto("/terms");
  await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=__ran=1>");
    document.body.insertAdjacentHTML("beforeend", '<img src="https://evil.example/x.gif">');
  });
  await expect.poll(() => problems).toContain("script-src-attr inline");
  await expect.poll(() => problems).toContain("asks https://evil.example/x.gif");
  await context.close();
});

async function asReader(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: site.url });
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: site.url }]);
  return context;
}

async function openAll(
  context: BrowserContext,
  addresses: string[],
  look: (page: Page) => Promise<void> = async () => {},
) {
  const page = await context.newPage();
  const problems = await listen(page, site.url);
  for (const address of addresses) {
    const response = await page.goto(address, { waitUntil: "load" });
    const status = response?.status() ?? 200;
    expect.soft(status, address).toBeLessThan(500);
    await loadPictures(page);
    expect.soft(await page.evaluate(() => "__ran" in window), address).toBe(false);
    await look(page);
    expect.soft(await linksOf(page), address).toEqual([]);
    expect.soft(new URL(page.url()).origin, address).toBe(site.url);
    expect.soft(problems.splice(0), address).toEqual([]);
  }
  await context.close();
}

/** Also of what is folded. */
async function expectNoWider(page: Page) {
  await whenStarted(page);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>("details"))
      details.open = true;
  });
  const [scroll, client] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  expect.soft(scroll, page.url()).toBe(client);
}

/** All that a page does of what it should not, as it happens. */
async function listen(page: Page, origin: string): Promise<string[]> {
  const problems: string[] = [];
  await page.exposeFunction("reportViolation", (text: string) => void problems.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const report = (window as { reportViolation?: (text: string) => void }).reportViolation;
      report?.(`${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  page.on(
    "dialog",
    (dialog) => (problems.push(`dialog ${dialog.message()}`), void dialog.dismiss()),
  );
  page.on("pageerror", (error) => void problems.push(`error ${error.message}`));
  page.on("console", (line) => {
    if (/Content Security Policy|Hydration|Minified React/i.test(line.text()))
      problems.push(line.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:")) problems.push(`asks ${url}`);
  });
  return problems;
}

/** Pictures further down load as they come near: here all at once. */
async function loadPictures(page: Page) {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = "eager";
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
}

/** Links that would run something when they are pressed. */
function linksOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>("a[href], area[href], form[action]")]
      .map((link) => link.href || link.getAttribute("action") || "")
      .filter((to) => /^(?!https?:|mailto:|\/|\?|#)./.test(to)),
  );
}

type Row = { id: string };

const cut = (length: number) => TEXTS.map((text) => [...text].slice(0, length).join("") || "x");
const WHOLE = TEXTS.map((text) => text.slice(0, 1_000)).join("\n");

/** Writes all texts, one to a row where rows are listed, all in one where there is one. */
async function storeTexts(db: Db, userId: string) {
  const { venues, games } = await storePlaces(db);
  const game = games[0]!;
  const players = await storePlayers(db);
  await sql`insert into bookings (user_id, game_id, payment_status, cancel_reason)
    select p, ${game}, 'Paid', 'x' from unnest(${players.slice(0, 190)}::uuid[]) as p`.execute(db);
  await sql`insert into bookings (user_id, game_id, payment_status)
    select ${userId}, g, 'Paid' from unnest(${games}::uuid[]) as g`.execute(db);
  await sql`insert into partners (name, logo_url, website_url)
    select t, nullif(t, left(t, 3)), t from unnest(${cut(400)}::text[]) as t`.execute(db);
  await sql`insert into wallet_transactions (user_id, type, amount_eur, notes)
    select ${userId}, 'deduction', -0.01, t from unnest(${cut(400)}::text[]) as t`.execute(db);
  await sql`update legal_pages set title = ${cut(60)[40]!}, content = ${WHOLE}`.execute(db);
  await sql`update credit_packs set pack_name = ${cut(60)[90]!}`.execute(db);
  const token = "every-hostile-text-000";
  await sql`insert into shared_cards (user_id, token) values (${players[70]!}, ${token})`.execute(
    db,
  );
  const chat = games[1]!;
  await storeChat(db, chat, userId, players);
  const shown = venues.filter((_, n) => n % (isLong ? 30 : 75) === 0).map((id) => `/venues/${id}`);
  return { game, chat, venues: shown, other: players[75]!, token };
}

/** A message for each text, by players whose names are texts. */
async function storeChat(db: Db, game: string, reader: string, players: string[]) {
  await sql`insert into chat_messages (game_id, number, user_id, body)
    select ${game}, n, p, t from unnest(${cut(500)}::text[], ${players}::uuid[])
      with ordinality as w(t, p, n)`.execute(db);
  await sql`update chat_messages set kind = 'Announcement', pinned_at = now()
    where game_id = ${game} and body ~ ${WIDEST}`.execute(db);
  // Folded.
  await sql`insert into player_blocks (user_id, blocked_id)
    select ${reader}, p from unnest(${players}::uuid[]) with ordinality as w(p, n)
    where n % 10 = 0`.execute(db);
  await sql`update chats set last_number = ${TEXTS.length} where game_id = ${game}`.execute(db);
}

/** In place of the last messages of a chat. */
async function storeLast(db: Db, game: string, bodies: string[]) {
  await sql`update chat_messages set body = b
    from unnest(${bodies}::text[]) with ordinality as w(b, n)
    where game_id = ${game} and number = ${TEXTS.length} + 1 - n`.execute(db);
}

/** Packs the texts into few messages of 500 characters, of the longest their beginning. */
function packed(texts: string[]): string[] {
  const bodies: string[] = [];
  for (const text of texts) {
    const body = [bodies.at(-1), text].filter(Boolean).join("\n");
    if ([...body].length <= 500) bodies.splice(-1, 1, body);
    else bodies.push([...text].slice(0, 500).join(""));
  }
  return bodies;
}

/** The widest letter that there is, and words without an end. */
const WIDEST = "\ufdfd|^W{90}|\u0323";
/** Emoji, directions, stacked marks, line separators: what a line may break by. */
const isOdd = (text: string) =>
  /[\u2028\u202a-\u202e\u2066-\u2069\ufdfd\p{M}\p{Emoji_Presentation}]/u.test(text);

/** A venue and a game for each text; the first game is described by all of them. */
async function storePlaces(db: Db) {
  const { rows: venues } = await sql<Row>`
    insert into venues (name, city, address, description, maps_url, website, photo_urls, photo_alts)
    select left(t, 120), left(t, 60), t, t, t, t, array[t], array[t]
    from unnest(${cut(400)}::text[]) as t returning id`.execute(db);
  const ids = venues.map(({ id }) => id);
  const { rows: games } = await sql<Row>`
    insert into games (title, description, sport, game_format, date, start_time, end_time, status,
      max_players, venue_id)
    select left(v.address, 120), v.address, v.address, left(v.address, 60), current_date + 3,
      '18:00', '19:30', 'Published', 200, v.id
    from venues v where v.id = any(${ids}::uuid[]) returning id`.execute(db);
  await sql`update games set description = ${WHOLE} where id = ${games[0]!.id}`.execute(db);
  return { venues: ids, games: games.map(({ id }) => id) };
}

async function storePlayers(db: Db): Promise<string[]> {
  const { rows } = await sql<Row>`
    with words as (select t, n from unnest(${cut(50)}::text[]) with ordinality as w(t, n)),
    u as (insert into users (name, email, email_verified)
      select t, 'texts' || n || '@uni.example', true from words returning id, name)
    insert into profiles (user_id, first_name, last_name, date_of_birth, email, school_year, major,
      phone, sports_interests, nationality, profile_picture_url)
    select id, name, name, '2000-01-01', id || '@uni.example', 'Master', name, left(name, 30),
      array[name], name, name from u returning user_id as id`.execute(db);
  return rows.map(({ id }) => id);
}
