import type { Browser, Page as BrowserPage, Route } from "@playwright/test";
import { sql } from "kysely";
import type { Connection } from "#app/platform/connect.server.ts";
import { whenStarted } from "./fixtures.ts";
import { addPlayer, addRaceGames } from "./players.ts";
import { signInAs } from "./site.ts";

/** A game with two players, each in a browser of their own. */
export interface Two {
  gameId: string;
  path: string;
  first: { who: string; userId: string };
  second: { who: string; userId: string };
}

export async function stage({ db }: Connection): Promise<Two> {
  const [gameId = ""] = await addRaceGames(db, { count: 1, spots: 9 });
  const [first, second] = [await addPlayer(db), await addPlayer(db)];
  for (const { userId: user_id } of [first, second]) {
    const booking = { user_id, game_id: gameId, payment_status: "Paid" as const, price_eur: "0" };
    await db.insertInto("bookings").values(booking).execute();
  }
  return { gameId, path: `/events/${gameId}/chat`, first, second };
}

/** Written by SQL, as by somebody else, so many. */
export async function fill({ db }: Connection, { gameId, second }: Two, count: number) {
  await sql`with numbered as (
      update chats set last_number = last_number + ${count} where game_id = ${gameId}
      returning last_number)
    insert into chat_messages (game_id, user_id, number, body)
    select ${gameId}, ${second.userId}, last_number - ${count} + n, 'Line ' || n
    from numbered, generate_series(1, ${count}::int) n`.execute(db);
}

interface Site {
  browser: Browser;
  baseURL: string | undefined;
  dataDir: string;
  database: Connection;
}

export async function openAs(
  { browser, baseURL, dataDir, database }: Site,
  who: string,
  path: string,
) {
  const context = await browser.newContext({ baseURL: baseURL!, serviceWorkers: "block" });
  await signInAs(context, { url: baseURL!, dataDir, db: database.db }, who);
  const page = await context.newPage();
  await openChat(page, path);
  return page;
}

/** Once it follows the chat. */
export async function openChat(page: BrowserPage, path: string) {
  const stream = page.waitForResponse((response) => response.url().includes("/live?"));
  await page.goto(path);
  await whenStarted(page);
  await stream;
}

/** The chat on a game's page; its scripts come after the page's own. */
export async function openGame(page: BrowserPage, path: string) {
  await openChat(page, path);
  await page.waitForLoadState("networkidle");
}

export const write = async (page: BrowserPage, text: string) => {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
};
export const shown = (page: BrowserPage) => page.locator("[id^=message-]");
export const again = (page: BrowserPage) =>
  page.getByRole("button", { name: "Not sent. Try again" });
export const POSTS = (url: URL) => url.pathname.endsWith("/chat.data");
export const holdPosts = (page: BrowserPage, hold: (route: Route) => Promise<void>) =>
  page.route(POSTS, (route) =>
    route.request().method() === "POST" ? hold(route) : route.continue(),
  );
export const bodiesOf = async ({ db }: Connection, gameId: string) =>
  (
    await db
      .selectFrom("chat_messages")
      .select("body")
      .where("game_id", "=", gameId)
      .orderBy("number")
      .execute()
  ).map(({ body }) => body);
export const kept = (page: BrowserPage) => page.evaluate(() => Object.values({ ...localStorage }));

/** A browser under test never hides its tabs. */
export async function showTab(page: BrowserPage, state: "hidden" | "visible") {
  await page.evaluate((value) => {
    Object.defineProperty(document, "hidden", {
      configurable: true,
      get: () => value === "hidden",
    });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
