import type { RouteConfigEntry } from "@react-router/dev/routes";
import { sql } from "kysely";
import routes from "../../app/routes.ts";
import { expect, type Page, test } from "../fixtures.ts";
import { findGames } from "../games.ts";
import { widthOf } from "../layout.ts";
import { aMatch } from "../matches.ts";
import type { Db } from "#app/platform/db.server.ts";

const WIDTHS = [320, 390];
/** Texts of the demo data that people have typed, and how long each may be, without a space. */
const TYPED: [from: string, most: number][] = [
  ["first_name as word from profiles", 50],
  ["last_name as word from profiles", 50],
  ["email as word from users", 120],
  ["name as word from venues", 120],
  ["address as word from venues", 200],
  ["city as word from venues", 60],
  ["title as word from games", 120],
  ["name as word from partners", 80],
  // The name of the pack of any amount is a word of ours on many pages.
  ["pack_name as word from credit_packs where pack_key <> 'any_amount'", 60],
  ["subject as word from support_messages", 120],
  ["message as word from support_messages", 200],
  ["body as word from chat_messages", 200],
];

const everyPath = pathsOf(await routes).filter(
  (path) => !/\*|\.(?!well)|^\/(files|live)/.test(path),
);

function pathsOf(entries: RouteConfigEntry[], above = ""): string[] {
  return entries.flatMap(({ path, index, children = [] }) => {
    const own = path === undefined ? above : `${above}/${path}`;
    const ends = index || (path !== undefined && children.length === 0);
    return [...(ends ? [own || "/"] : []), ...pathsOf(children, own)];
  });
}

const isAdmins = (path: string) => path.startsWith("/admin");
const isVisitors = (path: string) => /^\/($|auth|home|games|sign-out|offline|\.)/.test(path);
const PATHS = {
  visitor: everyPath.filter((path) => isVisitors(path) || /^\/(events|venues)\/:/.test(path)),
  player: everyPath.filter((path) => !isAdmins(path) && !isVisitors(path)),
  admin: everyPath.filter(isAdmins),
};

for (const [who, paths] of Object.entries(PATHS)) {
  test(`${who}: no page scrolls sideways, however long names, addresses and subjects are`, async ({
    page,
    signIn,
    database,
  }) => {
    const params = await paramsOf(database.db);
    if (who !== "visitor") await signIn(who);
    if (who === "admin") params.gameId = (await aMatch(database, ["Aino", "Bertta"])).gameId;
    const words = await wordsOf(database.db);
    expect(words.length).toBeGreaterThan(50);
    for (const path of paths) {
      const address = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? "none");
      await measure(page, address, words);
    }
  });
}

async function measure(page: Page, address: string, words: [string, string][]) {
  const response = await page.goto(address);
  if (!response?.headers()["content-type"]?.startsWith("text/html")) return;
  await page.evaluate(stretch, words);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    const where = `${address} at ${width} px`;
    expect.soft(await page.evaluate(widthOf), `width of ${where}`).toBe(width);
    if ((await page.evaluate(widthOf)) === width) continue;
    expect.soft(await page.evaluate(wideTexts), `wider than ${where}`).toEqual([]);
  }
}

/** In the browser: what cannot be narrower than the screen, the innermost of each. */
function wideTexts(): string[] {
  const wide = [...document.body.querySelectorAll<HTMLElement>("*")].filter((element) => {
    if (!element.checkVisibility() || element.closest(".sr-only, .marquee-track")) return false;
    const { width, minWidth } = element.style;
    Object.assign(element.style, { width: "min-content", minWidth: "0" });
    const isWide = element.offsetWidth > innerWidth;
    Object.assign(element.style, { width, minWidth });
    return isWide;
  });
  const innermost = wide.filter(
    (one) => !wide.some((other) => one !== other && one.contains(other)),
  );
  return innermost.map(({ tagName, className, parentElement, textContent }) =>
    [parentElement?.className, ">", tagName, className, textContent.slice(0, 30)].join(" "),
  );
}

/** In the browser: puts each word's long one in its place. */
function stretch(words: [string, string][]) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.parentElement?.closest("script, style, option")) continue;
    for (const [word, long] of words) {
      if (!node.data.includes(word)) continue;
      node.data = node.data.replace(word, long);
      break;
    }
  }
}

async function wordsOf(db: Db): Promise<[string, string][]> {
  const words = new Map<string, string>();
  for (const [from, most] of TYPED) {
    const { rows } = await sql<{ word: string }>`select distinct ${sql.raw(from)}`.execute(db);
    for (const { word } of rows) {
      if (word?.length > 2) words.set(word, "Wolfeschlegelsteinhausen".repeat(9).slice(0, most));
    }
  }
  return [...words].toSorted(([a], [b]) => b.length - a.length);
}

async function aTicket(db: Db, user_id: string): Promise<string> {
  const ticket = { user_id, subject: "Lost shoes", message: "They are black." };
  const row = db.insertInto("support_messages").values(ticket).returning("id");
  return (await row.executeTakeFirstOrThrow()).id;
}

async function paramsOf(db: Db): Promise<Record<string, string>> {
  const one = async (text: string) => {
    const { rows } = await sql<{ id: string }>`select ${sql.raw(text)} limit 1`.execute(db);
    return rows[0]!.id;
  };
  const userId = await one("user_id as id from profiles where email = 'player@uni.example'");
  return {
    gameId: (await findGames(db)).joined,
    venueId: await one("id from venues order by name"),
    ...{ userId, playerId: userId, pageType: "terms", version: "1", packKey: "pay_per_game" },
    partnerId: await one("id from partners"),
    packId: await one("id from credit_packs"),
    ticketId: await aTicket(db, userId),
  };
}
