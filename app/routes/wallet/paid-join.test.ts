import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, ada, balanceCents, hoursLater, NOW } from "#test/fixtures.ts";
import { payingOf } from "#test/payment-holds.ts";
import { deliverEvents, singlePurchase, somePacks } from "#test/payments.ts";
import { startPlayingOn, textOf } from "#test/start-playing.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
const paying = payingOf(database);
const list = waitlistOf(database);
let app: App;
let site: AskSite;
let now: Date;
let packId: string;
let startPlaying: ReturnType<typeof startPlayingOn>;
beforeAll(async () => {
  app = testApp(database, () => now);
  site = await openSite(app);
  await somePacks(app.db);
  const link = "http://kickabout.test/demo/checkout/pay_per_game";
  const sold = app.db.updateTable("credit_packs").set({ stripe_checkout_link: link });
  const pack = await sold.where("is_active", "=", true).returning(["id", "pack_key"]).execute();
  packId = pack.find(({ pack_key }) => pack_key === "pay_per_game")!.id;
  startPlaying = startPlayingOn(app, site, packId);
});
beforeEach(() => {
  now = NOW;
});

const later = (minutes: number) => hoursLater(minutes / 60);

/** The page after a payment that arrives at this minute, as another device sees it. */
async function payAt(minutes: number, { id, cookie }: { id: string; cookie: string }) {
  now = later(minutes);
  const purchase = await paying.pay(id, now);
  const address = `/wallet/paid?session_id=${purchase.id}`;
  const word = await (await site(address.replace("?", "/state?"), { cookie })).text();
  return { word, text: await textOf(site(address, { cookie })) };
}

describe("START PLAYING for a game", () => {
  test("holds a spot, and the game, the checkout and the page after it say until when", async () => {
    const player = await startPlaying(await aGame(app.db, { startsIn: 48, spots: 2 }));
    expect(player.response.status).toBe(303);
    const { id, cookie, cookies, path, gameId } = player;
    expect(await paying.find(gameId, id)).toMatchObject({ holdsSpot: true, until: later(15) });
    const bar = await textOf(site(path, { cookie }));
    expect(bar).toMatch(/\|Spot held for you\| until 12:15\|.* · 9\.99\u00a0€\|/);
    expect(bar).toContain("|Give the spot back|");
    expect(bar).toContain("|Continue to payment|");
    const checkout = `/demo/checkout/pay_per_game?client_reference_id=${id}`;
    const held =
      /\|Spot held for you\| until 12:15\|.*\|15:00 left\|.*Once it is paid, you are in\.\|/;
    expect(await textOf(site(checkout, { cookie: cookies }))).toMatch(held);
    const waiting = site("/wallet/paid?session_id=cs_test_x", { cookie: cookies });
    expect(await textOf(waiting)).toMatch(held);
    now = later(16);
    expect(await textOf(site(checkout, { cookie: cookies }))).toContain(
      "|No spot is held for you any more. Once it is paid, you are in if one is free.|",
    );
  });

  test("fails where the game has no spot any more, and nothing is bought", async () => {
    const gameId = await aGame(app.db, { startsIn: 48, spots: 1 });
    const player = await startPlaying(gameId);
    await paying.stop(gameId, player.id);
    await list.join(gameId, await ada(app.db));
    const again = await site("/checkout", { cookie: player.cookie, body: player.body });
    expect([again.status, again.headers.get("Location")]).toEqual([409, null]);
    expect(await textOf(again)).toContain(
      "This game is full. Someone took the last spot. Nothing was bought.",
    );
  });

  test("is over once the player gives the spot back", async () => {
    const player = await startPlaying(await aGame(app.db, { startsIn: 48 }));
    const body = new URLSearchParams({ intent: "stop-paying" });
    for (const [turn, status] of [302, 409].entries()) {
      const { cookie, path } = player;
      expect([turn, (await site(path, { cookie, body })).status]).toEqual([turn, status]);
    }
    expect(await paying.find(player.gameId, player.id)).toBeNull();
  });

  test("goes on in the wallet, whose plans are for the game that a spot is held in", async () => {
    const { cookie, path } = await startPlaying(await aGame(app.db, { startsIn: 48 }));
    const body = new URLSearchParams({ intent: "buy-credits" });
    const plansOf = async () => (await site("/wallet", { cookie, body })).text();
    const html = await plansOf();
    expect(html).toContain("> until 12:15<");
    expect(html).toContain(`name="returnTo" value="${path}"`);
    now = later(16);
    expect(await plansOf()).toContain('name="returnTo" value="/wallet"');
  });

  test("says that the spot of another game is given back, and that no third one is held", async () => {
    const games = [await aGame(app.db, { startsIn: 48 }), await aGame(app.db, { startsIn: 96 })];
    const { id, cookie, path } = await startPlaying(games[0]!);
    const plansAt = async (address: string) => {
      const body = new URLSearchParams({ intent: "join", overlap: "ask", priceShown: "10" });
      return (await site(address, { cookie, body })).text();
    };
    expect(await plansAt(`/events/${games[1]}`)).toContain(
      "Once it is paid, you are in. The spot held for you at Campus Hall is given back then.",
    );
    await paying.stop(games[0]!, id);
    await paying.hold(games[0]!, id);
    await paying.stop(games[0]!, id);
    const third = "so none is held while you pay. Once it is paid, you are in if one is free.";
    expect(await plansAt(path)).toContain(third);
  });

  test("of which a payment is under way is given back once its player knows what becomes of the money", async () => {
    const { id, cookie, path, gameId } = await startPlaying(await aGame(app.db, { startsIn: 48 }));
    const stop = (fields: Record<string, string> = {}) =>
      site(path, { cookie, body: new URLSearchParams({ intent: "stop-paying", ...fields }) });
    const purchase = singlePurchase(id);
    await deliverEvents(app, purchase.unpaid);
    expect(await textOf(site(path, { cookie }))).toContain("Held for you");
    const asked = await stop();
    expect(asked.status).toBe(409);
    // The dialog is part of the page where there are no scripts.
    const [dialog = ""] = /<dialog[^>]*id="give-back"[^>]* open="".*?<\/dialog>/s.exec(
      await asked.text(),
    )!;
    expect(dialog).toContain("Once it is confirmed, its credits are in your wallet, for any game.");
    expect(await paying.find(gameId, id)).toMatchObject({ holdsSpot: true });
    const [, confirmed = ""] = /name="confirmed" value="([^"]+)"/.exec(dialog)!;
    expect((await stop({ confirmed: `${confirmed}x` })).status).toBe(409);
    const given = await stop({ confirmed });
    expect(given.status).toBe(302);
    const toast = given.headers
      .getSetCookie()
      .map((set) => set.split(";")[0])
      .join("; ");
    const after = await textOf(site(path, { cookie: `${cookie}; ${toast}` }));
    expect(after).toContain("Your payment goes on: once it is confirmed, it is in your wallet.");
    await deliverEvents(app, purchase.succeeded);
    await paying.work();
    expect(await balanceCents(app.db, id)).toBe(1_400);
  });

  test("stands first in My Games, and in the wallet, until it is over", async () => {
    const { id, cookie, path } = await startPlaying(await aGame(app.db, { startsIn: 48 }));
    const joined = await aGame(app.db, { startsIn: 24 });
    const booking = { user_id: id, game_id: joined, payment_status: "Paid" as const };
    await app.db
      .insertInto("bookings")
      .values({ id: crypto.randomUUID(), price_eur: "0", ...booking })
      .execute();
    const pages = async () => {
      const [games, wallet] = [
        await site("/bookings", { cookie }),
        await site("/wallet", { cookie }),
      ];
      const [html, walletHtml] = [await games.text(), await wallet.text()];
      return { links: html.match(/\/events\/[\w-]{36}(?=")/g), html, walletHtml };
    };
    const { links, html, walletHtml } = await pages();
    expect(links).toEqual(expect.arrayContaining([path, `/events/${joined}`]));
    expect(links!.indexOf(path)).toBeLessThan(links!.indexOf(`/events/${joined}`));
    for (const page of [html, walletHtml]) {
      expect(page).toContain("Spot held for you<");
      expect(page).toContain("> until 12:15<");
      expect(page).toContain("Continue to payment");
    }
    await deliverEvents(app, singlePurchase(id).unpaid);
    expect((await pages()).html).toContain("Once it is confirmed, you are in.");
    expect((await pages()).html).not.toContain("Continue to payment");
    // The wallet says it once.
    expect((await pages()).walletHtml).toContain("Waiting for your bank");
    expect((await pages()).walletHtml).not.toContain("Spot held for you");
    now = later(16);
    expect((await pages()).html + (await pages()).walletHtml).not.toContain("Spot held for you");
  });

  test("for credits alone leaves no game to be booked", async () => {
    const player = await startPlaying(await aGame(app.db, { startsIn: 48 }));
    const body = new URLSearchParams({ packId, returnTo: "/bookings" });
    expect((await site("/checkout", { cookie: player.cookie, body })).status).toBe(303);
    expect((await payAt(1, player)).text).toContain("|10 credits added|New balance: 14 credits.|");
  });
});

describe("the page after a payment for a game", () => {
  test("waits for the booking, and then says that the player is in, on another device too", async () => {
    const { id, cookie } = await startPlaying(await aGame(app.db, { startsIn: 48 }));
    const purchase = singlePurchase(id);
    await deliverEvents(app, purchase.completed);
    const address = `/wallet/paid?session_id=${purchase.id}`;
    const ask = async () => (await site(address.replace("?", "/state?"), { cookie })).text();
    expect(await ask()).toBe("booking");
    const html = await (await site(address, { cookie })).text();
    expect(html).toContain("Booking your spot…");
    expect(html).toContain('http-equiv="refresh"');
    await paying.work();
    expect(await ask()).toBe("arrived");
    const page = await (await site(address, { cookie })).text();
    const text = await textOf(new Response(page));
    // What was paid for stands under My Games.
    expect(page.match(/aria-current="page"[^>]*>(?:<svg.*?<\/svg>)?My Games</g)).toHaveLength(2);
    expect(page).toMatch(/href="\/wallet\/receipts\/[\w-]{36}"[^>]*>See the receipt</);
    expect(text).toContain(
      "|10 credits added, 10 spent on this game. New balance: 4 credits.|Go to the game|",
    );
    // Where and when stand directly below.
    expect(text).toMatch(
      /\|You're in\|MONDAY[^|]*\|12:00 – 13:30\|Campus Hall\|Otakaari 1, Espoo\|[^|]*Add to calendar\|10 credits/,
    );
    expect(await balanceCents(app.db, id)).toBe(400);
  });

  test("says that a spot was still free where it was held no more", async () => {
    const player = await startPlaying(await aGame(app.db, { startsIn: 48 }));
    const { text } = await payAt(20, player);
    expect(text).toMatch(
      /\|You're in\|.*\|Your spot was held no more, but another one was free\. /,
    );
  });

  test("says why the player is not in, that the credits stay, and what comes next", async () => {
    const gameId = await aGame(app.db, { startsIn: 48, spots: 1 });
    const player = await startPlaying(gameId);
    await paying.sweep(later(16));
    await list.join(gameId, await ada(app.db));
    const { word, text } = await payAt(20, player);
    expect(word).toBe("declined");
    expect(text).toContain(
      "|You are not in, and your credits stay|By then the game was full. New balance: 14 credits.|",
    );
    expect(text).toContain("|Go to the waitlist|Find another game|");
  });

  test("books no game that has moved since the button was pressed", async () => {
    const player = await startPlaying(await aGame(app.db, { startsIn: 48 }));
    const moved = app.db.updateTable("games").set({ start_time: "13:00", end_time: "14:30" });
    await moved.where("id", "=", player.gameId).execute();
    const { text } = await payAt(20, player);
    expect(text).toContain("|You are not in, and your credits stay|The game has changed since you");
    expect(text).toContain("|Go to the game|");
  });
});
