import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { signIn, visit } from "#test/visit.ts";
import { ada, aGame, balanceCents, ben, hoursLater, NOW } from "#test/fixtures.ts";
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

  test("names the game while it waits, then leads back to it, and stays", async () => {
    const { gameId, waiting, page, headers } = await paidFor({ startsIn: 48, spots: 3 });
    expect(waiting).toMatchObject({
      game: { path: `/events/${gameId}`, venue: "Campus Hall", when: "Mon 12:00" },
      paidGame: null,
    });
    expect(page).toMatchObject({ game: null, onward: null });
    expect(page.paidGame).toEqual({
      state: "open",
      ...{ lost: null, short: null },
      path: `/events/${gameId}`,
      venue: "Campus Hall",
      when: "Mon, Nov 23 · 12:00 – 13:30",
      badge: { text: "3 spots left", tone: "green" },
      ticket: {
        ...{ id: gameId, date: "2026-11-23", longDate: "MONDAY, NOVEMBER 23, 2026" },
        ...{ start: "12:00", end: "13:30" },
        venue: { name: "Campus Hall", place: "Otakaari 1, Espoo", mapsUrl: null },
      },
    });
    // The page may be looked at again before the tap.
    expect(headers.getSetCookie()).toEqual([]);
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
    expect(page.mark).toBe("declined");
    expect(page.message.title).toBe("You are not in, and your credits stay");
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

  test("and whose spot is offered to its player says so", async () => {
    const { page, waiting } = await paidFor({ spots: 1 }, offerSpot);
    expect(waiting.game).toMatchObject({
      held: { until: "14:00" },
      note: "Once it is paid, you are in.",
    });
    expect(page.paidGame).toMatchObject({ state: "offered", badge: { text: "Held for you" } });
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
