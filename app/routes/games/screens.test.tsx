import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, aVenue, NOW } from "#test/fixtures.ts";
import { buttonsOf, headingsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import { signIn, visit } from "#test/visit.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { CANCELLATION_POLICY } from "#app/features/seats/rules.ts";
import type { App } from "#app/routes/context.server.ts";
import Games, { loader as listLoader } from "#app/routes/games/list/list.tsx";
import Game, { loader as gameLoader } from "./show.tsx";

const database = useDatabase();
let app: App;
let venue_id: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  venue_id = await aVenue(app.db, {
    ...{ name: "Töölö Cage", city: "Helsinki", address: "Mannerheimintie 52" },
    photo_urls: ["/photos/toolo-cage-1-800.webp", "/photos/toolo-cage-2-800.webp"],
  });
});

async function listFor(playerId: string, query = ""): Promise<string> {
  const cookie = await signIn(app, playerId);
  const { data } = await visit(app, listLoader, { path: `/events${query}`, cookie });
  return renderPage(Games, { loaderData: data });
}
async function pageOf(gameId: string, playerId?: string): Promise<string> {
  const cookie = playerId ? await signIn(app, playerId) : "";
  const at = { path: `/events/${gameId}`, cookie };
  return renderPage(Game, { loaderData: (await visit(app, gameLoader, at)).data });
}
const join = (gameId: string, playerId: string) =>
  joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });

describe("the list", () => {
  // spec: 1.16, 1.18, 2.46, 2.54
  test("greets by the first name, and says when there is nothing", async () => {
    const playerId = await ada(app.db);
    const html = await listFor(playerId);
    expect(headingsOf(html, 1)).toEqual(["Hi Ada"]);
    expect(textOf(html)).toContain("|Attend your next pickup Football game here.|");
    expect(textOf(html)).toContain("|No upcoming games found with the selected filters.|");
    expect(html).not.toContain("Clear filters");
  });

  test("what is filtered by is said by name, each with a way to the list without it", async () => {
    const playerId = await ada(app.db);
    const links = linksOf(await listFor(playerId, "?city=Espoo&time=Evening"));
    expect(links).toContain("Espoo → /events?time=Evening");
    expect(links).toContain("Evening → /events?city=Espoo");
    expect(links).toContain("Clear filters → /events");
  });

  test("the days with games lead to them, the others nowhere", async () => {
    const gameId = await aGame(app.db, { venue_id });
    const html = await listFor(await ada(app.db));
    const [, strip = ""] = /<nav aria-label="Days"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
    expect(textOf(strip)).toMatch(/^\|Today\n21\|Sun\n22\|Mon\n23\|/);
    expect(linksOf(strip)).toEqual(["Mon 23 → #day-2026-11-23"]);
    expect(html).toContain('id="day-2026-11-23"');
    await close(gameId);
  });

  test("a full game is a row with both badges, unless the viewer is in it", async () => {
    const gameId = await aGame(app.db, { venue_id, spots: 1 });
    const [playerId, other] = [await ada(app.db), await ada(app.db)];
    await join(gameId, other);
    const row = cardOf(await listFor(playerId), gameId)!;
    expect(textOf(row)).toBe("|12:00 – 13:30|Töölö Cage|Helsinki|10 credits|0 spots left|");
    expect(row).toContain("toolo-cage-1");
    expect(cardOf(await listFor(other), gameId)).toContain('aria-label="1 player"');
    await close(gameId);
  });

  test("the row of a game whose last spot is held says that it is not on yet", async () => {
    const gameId = await aGame(app.db, { venue_id, spots: 2, min_players: 2 });
    await join(gameId, await ada(app.db));
    await database.pool.query("update games set spots_held = 1 where id = $1", [gameId]);
    const row = cardOf(await listFor(await ada(app.db)), gameId)!;
    expect(textOf(row)).toContain("|On from 2 players. 1 so far. Decided Mon 09:00.|");
    expect(textOf(row)).toContain("|0 spots left|");
    await close(gameId);
  });

  test("a session that is free for the viewer says so on its badge and above the list", async () => {
    const gameId = await aGame(app.db, { venue_id, is_first_session_free: true });
    const playerId = await ada(app.db);
    const html = await listFor(playerId);
    const card = cardOf(html.slice(html.indexOf("<ul")), gameId)!;
    expect(textOf(card)).toContain("|Free for you|10 spots left|");
    const line = `Your first session is free: Mon 12:00, Töölö Cage → /events/${gameId}`;
    expect(linksOf(html)).toContain(line);
    await join(gameId, playerId);
    expect(textOf(await listFor(playerId))).not.toMatch(/Free for you|first session/);
    await close(gameId);
    const links = linksOf(await listFor(await ada(app.db)));
    expect(links).toContain("Buy credits in your wallet. → /wallet");
    expect(links).toContain("How it works → /settings/onboarding");
  });

  // spec: 2.48, 2.49, 2.50, 2.51, 2.52
  test("a card shows photo, venue, times, cost and spots, and leads to its game", async () => {
    const plain = await aVenue(app.db, { name: "Plain Hall", city: "Espoo" });
    const game = await aGame(app.db, { venue_id, spots: 2 });
    const full = await aGame(app.db, { venue_id: plain, spots: 1 });
    const playerId = await ada(app.db);
    await join(full, playerId);
    const html = await listFor(playerId);
    expect(headingsOf(html, 2)[0]).toBe("MONDAY Nov 23");
    expect(textOf(cardOf(html, full)!)).toContain("|You're in|");
    expect(textOf(cardOf(html, game)!)).not.toContain("You're in");
    const [photo, placeholder] = [game, full].map((id) => cardOf(html, id));
    expect(textOf(photo!)).toContain(
      "|12:00| – 13:30|Töölö Cage |Helsinki|Indoor · 5v5|10 credits|2 spots left|",
    );
    expect(photo).toContain("toolo-cage-1");
    expect(photo).not.toContain("toolo-cage-2");
    expect(textOf(placeholder!)).toContain("|0 spots left|");
    expect(placeholder).not.toContain("<img");
    expect(placeholder).toMatch(/class="[^"]*bg-pitch/);
    for (const gameId of [game, full]) await close(gameId);
  });

  // spec: 2.53, 2.63, 9.8
  test.each([
    [1, 1, "danger"],
    [3, 1, "good"],
    [5, 1, "good"],
  ])("of %i spots %i is taken: the badge is %s, here and on its page", async (spots, _, tone) => {
    const gameId = await aGame(app.db, { venue_id, spots });
    await join(gameId, await ada(app.db));
    const playerId = await ada(app.db);
    const badge = new RegExp(`<span class="[^"]*bg-${tone}-soft[^"]*">${spots - 1} spots left<`);
    expect(cardOf(await listFor(playerId), gameId)).toMatch(badge);
    expect(await pageOf(gameId, playerId)).toMatch(badge);
    await close(gameId);
  });
});

describe("the page of a game", () => {
  // spec: 2.59, 2.60, 2.61, 2.62, 2.64, 2.65, 7.16
  test("photos, venue, badge, date in capitals and times stand first", async () => {
    const gameId = await aGame(app.db, { venue_id, spots: 5 });
    const html = await pageOf(gameId);
    expect(html).toMatch(/aria-roledescription="carousel"[^>]* aria-label="Photos of Töölö Cage"/);
    // What the keyboard stops at has a name.
    expect(html).toMatch(/<div tabindex="0" role="group" aria-label="Slides"/);
    expect(html.match(/aria-roledescription="slide"/g)).toHaveLength(2);
    expect(headingsOf(html, 1)).toEqual(["Töölö Cage"]);
    expect(linksOf(html)).toContain("Back → /events");
    expect(linksOf(html)).toContain(`Töölö Cage → /venues/${venue_id}`);
    expect(textOf(html)).toContain("|5 spots left|");
    expect(textOf(html)).toContain("|MONDAY, NOVEMBER 23, 2026|");
    expect(textOf(html)).toContain("|12:00 – 13:30|");
    expect(textOf(html)).toContain("SHARE GAME");
  });

  // spec: 2.66, 2.67, 2.69, 2.70, 2.72, 2.73, 2.74, 3.14, 3.25, 7.31, 9.20
  test("its sections say what it is, who plays, how to cancel and where", async () => {
    const gameId = await aGame(app.db, { venue_id, description: "Bring\nboth shirts." });
    const player = await aPlayer(app.db, { name: "Wilma", credits: 10 });
    const picture = { profile_picture_url: "/files/avatars/w-512.webp" };
    await app.db.updateTable("profiles").set(picture).where("user_id", "=", player).execute();
    await join(gameId, player);
    const html = await pageOf(gameId, await ada(app.db));
    expect(html).toContain(`src="${picture.profile_picture_url}"`);
    expect(headingsOf(html, 2).slice(0, 5)).toEqual([
      ...["About This Game", "Players", "Game Description", "Game Cancellation Policy", "Venue"],
    ]);
    const text = textOf(html);
    expect(text).toContain("|Duration|90 minutes|Setting|Indoor|Format|5v5|");
    expect(text).toContain("|1 confirmed|9 spots left|");
    expect(html).toMatch(
      /<progress[^>]* max="10"[^>]* value="1"|<progress[^>]* value="1"[^>]* max="10"/,
    );
    expect(linksOf(html).find((link) => link.includes("Wilma"))).toMatch(`→ /profile/${player}`);
    expect(text).toContain("|Bring\nboth shirts.|");
    for (const sentence of CANCELLATION_POLICY) expect(text).toContain(`|${sentence}|`);
    expect(linksOf(html)).toContain("Terms & Conditions → /terms");
    expect(text).toContain("|Venue|Töölö Cage|Mannerheimintie 52, Helsinki|");
    expect(linksOf(html)).toContain(`View venue → /venues/${venue_id}`);
  });

  // spec: 2.67, 2.68, 2.71, 2.72, 2.74
  test("outdoor, without a description, an address or a player, it says what there is", async () => {
    const bare = await aVenue(app.db, { name: "Bare", city: "Vantaa", address: null });
    const gameId = await aGame(app.db, { venue_id: bare, is_outdoor: true, game_format: "7v7" });
    const html = await pageOf(gameId);
    expect(textOf(html)).toContain("|Setting|Outdoor|Format|7v7|");
    expect(headingsOf(html, 2)).not.toContain("Game Description");
    expect(textOf(html)).toContain("This game has no players yet.");
    expect(linksOf(html)).toContain("Join game → #join");
    expect(textOf(html)).toContain("|Venue|Bare|Vantaa|");
  });

  // spec: 2.75, 2.76, 2.77
  test("the bar at the bottom joins, says that one is in, or that it is full", async () => {
    const [first, second] = [await ada(app.db), await ada(app.db)];
    const gameId = await aGame(app.db, { venue_id, spots: 1 });
    const open = await pageOf(gameId, first);
    expect(barOf(open)).toContain("|10 credits|Balance after: 90 credits|");
    expect(buttonsOf(open)).toContain("Join game");
    await join(gameId, first);
    const attending = await pageOf(gameId, first);
    expect(barOf(attending)).toContain("You're attending this game!");
    expect(buttonsOf(attending)).toContain("Manage my spot");
    expect(buttonsOf(attending)).not.toContain("Join game");
    const full = await pageOf(gameId, second);
    expect(full).toMatch(/<button[^>]* disabled=""[^>]*>GAME FULL<\/button>/);
    expect(buttonsOf(full)).not.toContain("Join game");
  });

  test("a free one says Free, and nothing of the balance", async () => {
    const gameId = await aGame(app.db, { venue_id, is_first_session_free: true });
    const html = await pageOf(gameId, await ada(app.db));
    expect(barOf(html)).toContain("|Free|Join game|");
    expect(barOf(html)).not.toMatch(/credits|Balance/);
    expect(html).toContain('name="priceShown" value="0"');
  });

  test("a level is a fact like the others, where it is stated", async () => {
    const gameId = await aGame(app.db, { venue_id, level: "Competitive" });
    expect(textOf(await pageOf(gameId))).toContain("|Format|5v5|Level|Competitive|");
  });

  // spec: 4.19, 7.18
  test("an unpaid booking attends as well", async () => {
    const [gameId, playerId] = [await aGame(app.db, { venue_id }), await ada(app.db)];
    const booking = { game_id: gameId, user_id: playerId, payment_status: "Unpaid" as const };
    await app.db.insertInto("bookings").values(booking).execute();
    expect(barOf(await pageOf(gameId, playerId))).toContain("You're attending this game!");
  });

  // spec: 2.76
  test("one that is over speaks of the past", async () => {
    const [inIt, notInIt] = [await ada(app.db), await ada(app.db)];
    const attend = async (startsIn: number) => {
      const game_id = await aGame(app.db, { venue_id, startsIn });
      const booking = { game_id, user_id: inIt, payment_status: "Paid" as const, price_eur: "10" };
      await app.db.insertInto("bookings").values(booking).execute();
      return game_id;
    };
    const [running, over] = [await attend(-1), await attend(-2)];
    const now = barOf(await pageOf(running, inIt));
    expect(now).toContain("You're attending this game!");
    expect(now).not.toMatch(/calendar|Invite/);
    expect(barOf(await pageOf(running, notInIt))).toContain("|This game has started.|");
    const mine = await pageOf(over, inIt);
    expect(barOf(mine)).toContain("|You were in this game.|My Games|");
    expect(textOf(mine)).toContain("|Full time|");
    expect(textOf(mine)).toContain("|1 confirmed|of 10 spots|");
    expect(textOf(mine)).not.toMatch(/attending|spots left/);
    expect(barOf(await pageOf(over, notInIt))).toContain("|This game is over.|Find a game|");
    const empty = await aGame(app.db, { venue_id, startsIn: -2 });
    expect(textOf(await pageOf(empty))).toContain("|Nobody joined this game.");
  });

  // spec: 2.78, 8.39
  test("one that is not there says so and leads back to the games", async () => {
    const html = renderPage(Game, { loaderData: { game: null } });
    expect(textOf(html)).toContain("|Game not found|");
    expect(linksOf(html)).toEqual(["Back to Games → /events"]);
  });
});

const cardOf = (html: string, gameId: string) =>
  new RegExp(`<a[^>]* href="/events/${gameId}".*?</a>`, "s").exec(html)?.[0];
const barOf = (html: string) => textOf(html.split('id="join"')[1] ?? "");
const close = (gameId: string) =>
  app.db.updateTable("games").set({ status: "Completed" }).where("id", "=", gameId).execute();
