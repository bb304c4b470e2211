import { beforeAll, describe, expect, test } from "vitest";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, aVenue, bookingsOf, NOW } from "#test/fixtures.ts";
import { friendPages } from "#test/friend-pages.ts";
import { linksOf, textOf } from "#test/screen.tsx";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";

const database = useDatabase();
let app: App;
let ask: AskSite;
let site: ReturnType<typeof friendPages>;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ask = await openSite(app);
  site = friendPages(app, database);
});

const dialogIn = (html: string) => /<dialog[^>]*id="joined".*?<\/dialog>/s.exec(html)?.[0] ?? "";

async function joinedBy(cookie: string, gameId: string, form: Record<string, string>) {
  const body = new URLSearchParams({ priceShown: "10", ...form });
  const { status, headers } = await ask(`/events/${gameId}`, { cookie, body });
  return [status, headers.get("Location"), headers.get("X-Remix-Replace")];
}

async function read(cookie: string, gameId: string) {
  const response = await ask(`/events/${gameId}/joined`, { cookie });
  const { status, headers } = response;
  return { status, to: headers.get("Location"), html: await response.text() };
}

async function aJoined(game: Parameters<typeof aGame>[1] = {}) {
  const gameId = await aGame(app.db, game);
  const playerId = await ada(app.db);
  await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  return { gameId, playerId, cookie: await signIn(app, playerId) };
}

describe("every way into a game leads to the dialog", () => {
  const to = (gameId: string) => [302, `/events/${gameId}/joined`, "true"];

  test("joining it does", async () => {
    const [gameId, cookie] = [await aGame(app.db), await signIn(app, await ada(app.db))];
    expect(await joinedBy(cookie, gameId, { intent: "join" })).toEqual(to(gameId));
  });

  test("taking the waitlist's offer does", async () => {
    const { gameId, asked } = await site.anOffer();
    expect(await joinedBy(asked.cookie, gameId, { intent: "take-offer" })).toEqual(to(gameId));
    expect((await read(asked.cookie, gameId)).status).toBe(200);
  });

  test("joining by a friend's link does, and its token is left behind", async () => {
    const { gameId, token } = await site.aHold();
    const cookie = await signIn(app, await ada(app.db));
    expect(await joinedBy(cookie, gameId, { intent: "join", hold: token })).toEqual(to(gameId));
    expect((await read(cookie, gameId)).html).not.toContain(token);
  });
});

describe("the dialog", () => {
  test("is open in the page without JavaScript, and leads to the game by a link", async () => {
    const { gameId, cookie } = await aJoined();
    const { status, html } = await read(cookie, gameId);
    expect(status).toBe(200);
    expect(dialogIn(html)).toMatch(/^<dialog[^>]* open=""/);
    expect(linksOf(dialogIn(html)).at(-1)).toBe(`Done → /events/${gameId}`);
    expect(html).toContain('id="join"');
  });

  test("says when, where, how to get in, what to bring and who is in", async () => {
    const venue_id = await aVenue(app.db, {
      ...{ name: "Töölö Cage", city: "Helsinki", address: "Mannerheimintie 52" },
      ...{ maps_url: "https://maps.example/cage", player_notes: "Door code 1234" },
    });
    const { gameId, cookie } = await aJoined({
      ...{ venue_id, description: "Easy pace.", player_notes: "Bring a white shirt" },
    });
    const playerId = await aPlayer(app.db, { name: "Aino", credits: 100 });
    await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
    const dialog = dialogIn((await read(cookie, gameId)).html);
    expect(textOf(dialog)).toMatch(
      /\|MONDAY[^|]*\|12:00 – 13:30\|Töölö Cage\|Mannerheimintie 52, Helsinki\|Directions \| Add to calendar\|Getting there\|Door code 1234\|What to bring and know\|Bring a white shirt\|Easy pace\.\|Who is in\|[^|]*\|Aino\|/,
    );
    expect(linksOf(dialog)).toEqual(
      expect.arrayContaining([
        "Directions → https://maps.example/cage",
        `Add to calendar → /events/${gameId}.ics`,
      ]),
    );
  });

  test("says of what it does not know nothing", async () => {
    const { gameId, cookie } = await aJoined();
    const dialog = textOf(dialogIn((await read(cookie, gameId)).html));
    expect(dialog).not.toMatch(/bring|Directions/);
    expect(dialog).toContain("|You are the first.|");
  });
});

describe("only who has just joined gets it; everybody else is led to the game", () => {
  async function ledAway(gameId: string, cookie = "") {
    expect(await read(cookie, gameId)).toMatchObject({ status: 302, to: `/events/${gameId}` });
  }

  test("a visitor and a player who is not in are", async () => {
    const gameId = await aGame(app.db);
    await ledAway(gameId);
    await ledAway(gameId, await signIn(app, await ada(app.db)));
  });

  test("who has left is, and who joins a second time", async () => {
    const { gameId, playerId, cookie } = await aJoined();
    const [booking] = await bookingsOf(app.db, gameId);
    await cancelBooking(app.db, app.jobs, { bookingId: booking!.id, playerId, now: NOW });
    await ledAway(gameId, cookie);
    await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
    await ledAway(gameId, cookie);
  });

  test("a player of a game that has begun is", async () => {
    const { gameId, cookie } = await aJoined();
    await database.pool.query("update games set date = date - 7 where id = $1", [gameId]);
    await ledAway(gameId, cookie);
  });
});
