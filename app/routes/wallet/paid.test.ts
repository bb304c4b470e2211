import { beforeAll, describe, expect, test } from "vitest";
import { requestContext, testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { signIn, visit } from "#test/visit.ts";
import { ada, ben, hoursLater, NOW } from "#test/fixtures.ts";
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
    await deliverEvents(app, purchase.completed);
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
    await deliverEvents(app, purchase.unpaid);
    expect((await open(cookie, purchase.id)).page).toMatchObject({
      state: "unconfirmed",
      refreshes: true,
      message: {
        text: "This can take a few days. Your credits will arrive automatically.",
      },
    });
    await deliverEvents(app, purchase.failed);
    expect((await open(cookie, purchase.id)).page).toMatchObject({
      state: "failed",
      refreshes: false,
      message: { text: "Your bank did not confirm it. Nothing was charged." },
      retry: { fields: { returnTo: "/wallet" }, price: "9.99\u00a0€" },
    });
  });

  test("unmatched: an admin looks at it, and whom to write to", async () => {
    const { id, cookie } = await buyer();
    const purchase = singlePurchase(id, { amount_total: 1 });
    await deliverEvents(app, purchase.completed);
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
    await deliverEvents(app, purchase.completed);
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
    await deliverEvents(app, purchase.completed);
    expect(await ask(cookie, purchase.id)).toEqual([200, "arrived", "no-store"]);
  });

  test("needs a player and a session", async () => {
    const { cookie } = await buyer();
    expect(await ask("", "cs_test_1")).toEqual([401, "signed-out", "no-store"]);
    expect(await ask(cookie, "cs_1'--")).toEqual([400, "no-session", "no-store"]);
  });
});
