import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { signIn, visit } from "#test/visit.ts";
import { ada, aGame, balanceCents, ben, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { readPage } from "#test/html-checker.ts";
import { fillIn, formsOf } from "#test/page-forms.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { returnCookie } from "#app/routes/credits/plans.server.ts";
import type { PaidPage } from "./paid-page.server.ts";
import { loader } from "./paid.tsx";

const database = useDatabase();
const list = waitlistOf(database);
let app: App;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  await somePacks(app.db);
});

async function buyer(make = ben) {
  const id = await make(app.db);
  return { id, cookie: await signIn(app, id), purchase: singlePurchase(id) };
}
async function open(cookie: string, sessionId: string, { as = app, more = "" } = {}) {
  const path = `/wallet/paid?session_id=${sessionId}${more}`;
  const { data, headers, status } = await visit(as, loader, { path, cookie });
  return { page: data as PaidPage, headers, status };
}

describe("the page after a payment that began at a game", () => {
  /** Paid by a player who was one game short; the page as it is then. */
  async function paidFor(
    game: Parameters<typeof aGame>[1],
    before?: (staged: { id: string; gameId: string }) => Promise<unknown>,
  ) {
    const { id, cookie, purchase } = await buyer();
    const gameId = await aGame(app.db, game);
    await before?.({ id, gameId });
    const began = (await returnCookie(app.env, `/events/${gameId}`)).split(";")[0];
    const cookies = `${cookie}; ${began}`;
    const waiting = (await open(cookies, purchase.id)).page;
    await deliverEvents(app, purchase.completed);
    const { page, headers } = await open(cookies, purchase.id);
    return { id, gameId, cookies, purchase, waiting, page, headers };
  }
  /** The player who pays is asked first, the only spot opens, and the credits go elsewhere. */
  const offerSpot = async ({ id, gameId }: { id: string; gameId: string }) => {
    const seat = await list.join(gameId, await ada(app.db));
    await list.wait(gameId, id, { mode: "ask" });
    await list.cancel(seat);
    await topUp(app.db, { userId: id, amountCents: 1_000, key: id });
    expect(await list.promote(gameId)).toBe(1);
    await list.join(await aGame(app.db, { startsIn: 72 }), id);
  };
  const fill = async ({ gameId }: { gameId: string }) => {
    const playerId = await ada(app.db);
    expect(await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW })).toMatchObject({
      ok: true,
    });
  };

  test("names the game while it waits, then offers it with its price, and stays", async () => {
    const { gameId, waiting, page, headers } = await paidFor({ startsIn: 48, spots: 3 });
    expect(waiting).toMatchObject({
      game: { path: `/events/${gameId}`, name: "Campus Hall, Mon 12:00", spots: "3 spots left" },
      paidGame: null,
    });
    expect(page).toMatchObject({ game: null, onward: null });
    expect(page.paidGame).toEqual({
      shown: expect.stringContaining("start=2026-11-23"),
      state: "open",
      hold: null,
      lost: null,
      path: `/events/${gameId}`,
      venue: "Campus Hall",
      when: "Mon, Nov 23 · 12:00 – 13:30",
      badge: { text: "3 spots left", tone: "amber" },
      price: "10 credits",
      priceShown: "10",
      balanceAfter: "Balance after: 0 credits",
    });
    // The page may be looked at again before the tap.
    expect(headers.getSetCookie()).toEqual([]);
  });

  test("joins it by the one form on the page, which counts once", async () => {
    const { id, gameId, cookies, purchase } = await paidFor({ startsIn: 48 });
    const site = await openSite(app);
    const address = `/wallet/paid?session_id=${purchase.id}`;
    const html = await (await site(address, { cookie: cookies })).text();
    const form = formsOf(readPage(html), address).find(({ path }) => path === `/events/${gameId}`)!;
    expect(html).toContain('name="overlap" value="ask"');
    const body = new URLSearchParams(fillIn(form, {}));
    for (const turn of ["first", "again"]) {
      const joined = await site(form.path, { cookie: cookies, body });
      expect([turn, joined.status, joined.headers.get("Location")]).toEqual([
        turn,
        302,
        `/events/${gameId}`,
      ]);
    }
    expect(await balanceCents(app.db, id)).toBe(0);
    expect(await bookingsOf(app.db, gameId)).toHaveLength(1);
    expect((await open(cookies, purchase.id)).page.paidGame).toMatchObject({ state: "in" });
  });

  test.each([
    ["filled up meanwhile", { spots: 1 }, "full", fill, true],
    ["has started", { startsIn: -0.1 }, "started", undefined, true],
    ["was called off", { status: "Cancelled" as const }, "closed", undefined, false],
    [
      "is a draft, whose place stays hidden",
      { status: "Draft" as const },
      "closed",
      undefined,
      false,
    ],
  ])("that %s: says so, and the credits stay", async (_, game, state, before, isNamed) => {
    const { id, page, cookies, purchase } = await paidFor(game, before);
    expect(page.paidGame?.state).toBe(state);
    expect(await balanceCents(app.db, id)).toBe(1_000);
    const address = `/wallet/paid?session_id=${purchase.id}`;
    const html = await (await (await openSite(app))(address, { cookie: cookies })).text();
    expect(html).toContain("Your credits stay in your wallet.");
    expect(html).toMatch(/href="\/events"[^>]*>Find another game</);
    expect(html).not.toContain("Join game");
    expect(html.includes("Campus Hall")).toBe(isNamed);
  });

  test("that needs more than was bought leads back to it", async () => {
    const owed = "update profiles set wallet_debt_eur = 15 where user_id = $1";
    const { page } = await paidFor({ startsIn: 48 }, ({ id }) => database.pool.query(owed, [id]));
    expect(page.paidGame).toMatchObject({ state: "short" });
  });

  test("and whose spot is held for its player can be taken, by the one form on the page", async () => {
    const { id, gameId, cookies, purchase, page, waiting } = await paidFor({ spots: 1 }, offerSpot);
    expect(waiting.game).toMatchObject({
      spots: "held for you",
      note: "A spot is held for you until 14:00. Once it is paid, you are in.",
    });
    expect(page.paidGame).toMatchObject({ state: "offered", badge: { text: "Held for you" } });
    const site = await openSite(app);
    const address = `/wallet/paid?session_id=${purchase.id}`;
    const html = await (await site(address, { cookie: cookies })).text();
    expect(html).toMatch(/>Take it</);
    const form = formsOf(readPage(html), address).find(({ path }) => path === `/events/${gameId}`)!;
    const body = new URLSearchParams(fillIn(form, {}));
    expect((await site(form.path, { cookie: cookies, body })).status).toBe(302);
    const players = (await bookingsOf(app.db, gameId)).map(({ user_id }) => user_id);
    expect(players).toContain(id);
    const late = { ...app, now: () => hoursLater(3) };
    expect((await open(cookies, purchase.id, { as: late })).page.paidGame?.state).toBe("in");
  });

  test("and whose offer is over, or who waits for a spot, is on the waitlist still", async () => {
    const { gameId, cookies, purchase } = await paidFor({ spots: 1 }, offerSpot);
    const late = { ...app, now: () => hoursLater(2) };
    const { page } = await open(cookies, purchase.id, { as: late });
    expect(page.paidGame).toMatchObject({ state: "waiting", badge: { text: "0 spots left" } });
    const html = await (
      await (
        await openSite(late)
      )(`/wallet/paid?session_id=${purchase.id}`, { cookie: cookies })
    ).text();
    expect(html).toContain("You are on the waitlist for this game.");
    expect(html).toMatch(new RegExp(`href="/events/${gameId}"[^>]*>Go to the game<`));
  });

  test("and whose free spot belongs to somebody who waits is full", async () => {
    const { page } = await paidFor({ spots: 1 }, async ({ gameId }) => {
      const { bookingId, playerId } = await list.join(gameId, await ada(app.db));
      await list.wait(gameId, await ada(app.db));
      await list.cancel({ bookingId, playerId });
    });
    expect(page.paidGame).toMatchObject({ state: "full", badge: { text: "0 spots left" } });
  });

  test("an unknown game is one that cannot be joined", async () => {
    const { cookie, purchase } = await buyer();
    await deliverEvents(app, purchase.completed);
    const path = `/events/${crypto.randomUUID()}`;
    const began = (await returnCookie(app.env, path)).split(";")[0];
    const { page } = await open(`${cookie}; ${began}`, purchase.id);
    expect(page.paidGame).toEqual({ state: "closed" });
  });

  test("a payment that failed leads back to the game", async () => {
    const { cookie, purchase } = await buyer();
    const gameId = await aGame(app.db);
    await deliverEvents(app, [purchase.unpaid, purchase.failed]);
    const began = (await returnCookie(app.env, `/events/${gameId}`)).split(";")[0];
    const site = await openSite(app);
    const html = await (
      await site(`/wallet/paid?session_id=${purchase.id}`, { cookie: `${cookie}; ${began}` })
    ).text();
    expect(html).toMatch(new RegExp(`href="/events/${gameId}"[^>]*>Go back to the game<`));
  });
});
