import { beforeAll, describe, expect, test } from "vitest";
import { requestContext, testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { singlePurchase, somePacks, tell } from "#test/payments.ts";
import { signIn, visit } from "#test/visit.ts";
import { ada, aGame, balanceCents, ben, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { readPage } from "#test/html-checker.ts";
import { fillIn, formsOf } from "#test/page-forms.ts";
import { openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { readReturn, returnCookie } from "#app/routes/credits/plans.server.ts";
import { sessionMiddleware } from "#app/routes/guards.server.ts";
import { loader as stateLoader } from "./paid-state.ts";
import type { PaidPage } from "./paid-page.server.ts";
import { loader } from "./paid.tsx";

const database = useDatabase();
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

describe("the page after a payment", () => {
  test("waits, and without JavaScript asks again", async () => {
    const { cookie, purchase } = await buyer();
    const { page } = await open(cookie, purchase.id);
    const since = NOW.getTime() / 1_000;
    expect(page).toMatchObject({
      state: "waiting",
      message: {
        text: "Your payment is on its way to us. This usually takes a few seconds.",
      },
      isLong: false,
      refreshes: true,
      again: `/wallet/paid?session_id=${purchase.id}&since=${since}`,
      onward: null,
    });
  });

  test.each([
    [59, false, true],
    [60, true, true],
    [599, true, true],
    [600, true, false],
  ])("after %i seconds", async (seconds, isLong, refreshes) => {
    const { cookie, purchase } = await buyer();
    const as = { ...app, now: () => hoursLater(seconds / 3_600) };
    const more = `&since=${NOW.getTime() / 1_000}`;
    const { page } = await open(cookie, purchase.id, { as, more });
    expect(page).toMatchObject({ state: "waiting", isLong, refreshes });
  });

  test("arrived: how much, what there is now, and the way on, once", async () => {
    const { cookie, purchase } = await buyer(ada);
    await tell(app.db, purchase.completed);
    const began = (await returnCookie(app.env, "/bookings")).split(";")[0];
    const { page, headers } = await open(`${cookie}; ${began}`, purchase.id);
    expect(page).toMatchObject({
      state: "arrived",
      message: { title: "10 credits added", text: "New balance: 110 credits." },
      refreshes: false,
      onward: { to: "/bookings", label: "Go to My Games" },
    });
    const [cleared = ""] = headers.getSetCookie();
    const Cookie = cleared.split(";")[0] ?? "";
    const next = new Request("http://kickabout.test/", { headers: { Cookie } });
    expect(await readReturn(app.env, next)).toBeNull();
    expect((await open(cookie, purchase.id)).page.onward).toBeNull();
  });

  test("where it began is kept until the credits are here", async () => {
    const { cookie, purchase } = await buyer();
    const began = (await returnCookie(app.env, "/events/1")).split(";")[0];
    const { page, headers } = await open(`${cookie}; ${began}`, purchase.id);
    expect([page.onward, headers.getSetCookie()]).toEqual([null, []]);
  });

  test("the bank has not confirmed, then declines", async () => {
    const { cookie, purchase } = await buyer();
    await tell(app.db, purchase.unpaid);
    expect((await open(cookie, purchase.id)).page).toMatchObject({
      state: "unconfirmed",
      refreshes: true,
      message: {
        text:
          "Your bank has not confirmed yet. This can take a few days; your credits will arrive " +
          "automatically.",
      },
    });
    await tell(app.db, purchase.failed);
    expect((await open(cookie, purchase.id)).page).toMatchObject({
      state: "failed",
      refreshes: false,
      message: { text: "The payment did not go through. Nothing was charged." },
    });
  });

  test("unmatched: an admin looks at it, and whom to write to", async () => {
    const { id, cookie } = await buyer();
    const purchase = singlePurchase(id, { amount_total: 1 });
    await tell(app.db, purchase.completed);
    expect((await open(cookie, purchase.id)).page).toMatchObject({
      state: "unmatched",
      contactEmail: app.env.contactEmail,
      message: {
        text: "We are matching it by hand. You don't have to do anything.",
      },
    });
  });

  test("another's session waits, whatever is known of it", async () => {
    const [{ purchase }, other] = [await buyer(ada), await buyer()];
    await tell(app.db, purchase.completed);
    const { page } = await open(other.cookie, purchase.id);
    expect(page.state).toBe("waiting");
    expect(JSON.stringify(page.message)).not.toContain("110");
  });

  test.each(["", "{CHECKOUT_SESSION_ID}", "in_1", "cs_a%20b"])(
    "no session (%j): to the wallet",
    async (id) => {
      const { cookie } = await buyer();
      const { status, headers } = await open(cookie, id);
      expect([status, headers.get("Location")]).toEqual([302, "/wallet"]);
    },
  );

  test("signed out: to the front page", async () => {
    const { status, headers } = await open("", "cs_test_1");
    expect([status, headers.get("Location")]).toEqual([302, "/"]);
  });
});

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
    await tell(app.db, purchase.completed);
    const { page, headers } = await open(cookies, purchase.id);
    return { id, gameId, cookies, purchase, waiting, page, headers };
  }
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
      state: "open",
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

  test("an unknown game is one that cannot be joined", async () => {
    const { cookie, purchase } = await buyer();
    await tell(app.db, purchase.completed);
    const path = `/events/${crypto.randomUUID()}`;
    const began = (await returnCookie(app.env, path)).split(";")[0];
    const { page } = await open(`${cookie}; ${began}`, purchase.id);
    expect(page.paidGame).toEqual({ state: "closed" });
  });

  test("a payment that failed leads back to the game", async () => {
    const { cookie, purchase } = await buyer();
    const gameId = await aGame(app.db);
    await tell(app.db, [purchase.unpaid, purchase.failed]);
    const began = (await returnCookie(app.env, `/events/${gameId}`)).split(";")[0];
    const site = await openSite(app);
    const html = await (
      await site(`/wallet/paid?session_id=${purchase.id}`, { cookie: `${cookie}; ${began}` })
    ).text();
    expect(html).toMatch(new RegExp(`href="/events/${gameId}"[^>]*>Go back to the game<`));
  });
});

describe("the state that the waiting page asks for", () => {
  async function ask(cookie: string, sessionId: string) {
    const url = `http://kickabout.test/wallet/paid/state?session_id=${sessionId}`;
    const request = new Request(url, { headers: { Cookie: cookie } });
    const context = requestContext(app);
    const args = { request, context, url: new URL(url), pattern: "", params: {} };
    const response = (await sessionMiddleware(args, () => stateLoader(args as never))) as Response;
    expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    return [response.status, await response.text(), response.headers.get("Cache-Control")];
  }

  test("is one word", async () => {
    const { cookie, purchase } = await buyer();
    expect(await ask(cookie, purchase.id)).toEqual([200, "waiting", "no-store"]);
    await tell(app.db, purchase.completed);
    expect(await ask(cookie, purchase.id)).toEqual([200, "arrived", "no-store"]);
  });

  test("needs a player and a session", async () => {
    const { cookie } = await buyer();
    expect(await ask("", "cs_test_1")).toEqual([401, "signed-out", "no-store"]);
    expect(await ask(cookie, "cs_1'--")).toEqual([400, "no-session", "no-store"]);
  });
});
