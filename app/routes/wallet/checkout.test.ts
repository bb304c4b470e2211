import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { ada, everything } from "#test/fixtures.ts";
import { addPack, DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { action, clientAction } from "./checkout.tsx";
import { readReturn } from "#app/routes/credits/plans.server.ts";

const database = useDatabase();
let app: App;
let packId: string;
const LINK = "http://kickabout.test/demo/checkout/monthly_4";
beforeAll(async () => {
  app = testApp(database);
  for (const pack of DEFAULT_PACKS) await addPack(app.db, pack);
  const pack = app.db.selectFrom("credit_packs").select("id").where("pack_key", "=", "monthly_4");
  packId = (await pack.executeTakeFirstOrThrow()).id;
  await setPack({ stripe_checkout_link: LINK });
});

function setPack(change: { stripe_checkout_link?: string | null; is_active?: boolean }) {
  return app.db.updateTable("credit_packs").set(change).where("id", "=", packId).execute();
}
async function player() {
  const id = await ada(app.db);
  const profile = app.db.selectFrom("profiles").select("email").where("user_id", "=", id);
  const { email } = await profile.executeTakeFirstOrThrow();
  return { id, email, cookie: await signIn(app, id) };
}
async function post(cookie: string, body: BodyInit | Record<string, string>, as = app) {
  const { status, data, headers } = await visit(as, action, { path: "/checkout", cookie, body });
  const next = new Request("http://kickabout.test/wallet/paid", {
    headers: {
      Cookie:
        headers
          .getSetCookie()
          .find((set) => set.includes("_return"))
          ?.split(";")[0] ?? "",
    },
  });
  return {
    status,
    data,
    to: headers.get("Location"),
    headers,
    back: await readReturn(app.env, next),
  };
}

const FAILED = { title: "Error", formError: "Failed to process request" };
const SETUP = {
  title: "Setup Required",
  formError: "Payment link is not configured yet. Please contact support.",
};

describe("on the way to pay", () => {
  // spec: 7.36
  test("the payment link carries the player, and where it began is remembered", async () => {
    const { id, email, cookie } = await player();
    const result = await post(cookie, { packId, returnTo: "/events/1?a=b" });
    expect(result.status).toBe(303);
    const url = new URL(result.to ?? "", "http://phone.example/checkout");
    // The demo's own checkout is at the address that the browser is at.
    expect(url.origin + url.pathname).toBe(`http://phone.example${new URL(LINK).pathname}`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_reference_id: id,
      prefilled_email: email,
    });
    expect(result.back).toBe("/events/1?a=b");
    // The payment page is another document, also where it is ours.
    expect(result.headers.get("X-Remix-Reload-Document")).toBe("true");
  });

  test("a second process of the demo, at another port, leaves the first one's packs on sale", async () => {
    const { cookie } = await player();
    await setPack({ stripe_checkout_link: LINK.replace("kickabout.test", "localhost:3001") });
    expect(await post(cookie, { packId })).toMatchObject({ status: 303 });
    await setPack({ stripe_checkout_link: LINK });
  });

  test.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "",
    "/auth",
  ])("from %j it leads back to the wallet", async (returnTo) => {
    const { cookie } = await player();
    expect(await post(cookie, { packId, returnTo })).toMatchObject({
      status: 303,
      back: "/wallet",
    });
  });

  test("fields that are not asked for change nothing", async () => {
    const [one, other] = [await player(), await player()];
    const body = { packId, userId: other.id, email: other.email, client_reference_id: other.id };
    expect((await post(one.cookie, body)).to).toContain(`client_reference_id=${one.id}`);
  });

  test("a visitor signs in first", async () => {
    const { status, to } = await post("", { packId });
    expect([status, to]).toEqual([302, "/auth?redirectTo=%2Fcheckout"]);
  });

  test("a request that posts nothing is sent to the wallet", async () => {
    const { status, headers } = await (await openSite(app))("/checkout");
    expect([status, headers.get("Location")]).toEqual([302, "/wallet"]);
  });
});

describe("no way to pay", () => {
  // spec: 8.15
  test.each([
    ["missing", null],
    ["empty", ""],
    ["of another site", "https://evil.example/monthly_4"],
    ["of Stripe, where it is not the prefix", "https://buy.stripe.com/a"],
    ["beside the prefix", "http://kickabout.test/demo/outbox"],
    ["relative", "/demo/checkout/monthly_4"],
    ["with another host behind a user", "http://kickabout.test@evil.example/demo/checkout/a"],
  ])("a link that is %s is not followed", async (_, link) => {
    const { cookie } = await player();
    await setPack({ stripe_checkout_link: link });
    const result = await post(cookie, { packId, returnTo: "/events/1" });
    await setPack({ stripe_checkout_link: LINK });
    expect([result.status, result.data]).toEqual([
      409,
      { ...SETUP, values: { returnTo: "/events/1" } },
    ]);
    expect([result.to, result.headers.getSetCookie()]).toEqual([null, []]);
  });

  // spec: 8.16
  test("a pack that is not on sale is none", async () => {
    const { cookie } = await player();
    await setPack({ is_active: false });
    const result = await post(cookie, { packId });
    await setPack({ is_active: true });
    expect([result.status, result.data]).toEqual([404, { ...FAILED, values: {} }]);
  });

  // spec: 8.16
  test("the page says what breaks on our side, without JavaScript too", async () => {
    const { cookie } = await player();
    await sql`alter table credit_packs rename to credit_packs_away`.execute(app.db);
    try {
      expect(await post(cookie, { packId })).toMatchObject({ status: 500, data: FAILED, to: null });
    } finally {
      await sql`alter table credit_packs_away rename to credit_packs`.execute(app.db);
    }
  });

  test.each<[string, () => BodyInit | Record<string, string>]>([
    ["the key of a pack", () => ({ packId: "monthly_4" })],
    ["an unknown pack", () => ({ packId: crypto.randomUUID() })],
    ["a pack with a NUL", () => ({ packId: `${packId}\0` })],
    ["a pack that is too long", () => ({ packId: "1".repeat(10_000) })],
    ["a pack of SQL", () => ({ packId: "' or 1=1 --" })],
  ])("%s: an error, nothing written", async (_, body) => {
    const { cookie } = await player();
    const before = await everything(app.db);
    expect(await post(cookie, body())).toMatchObject({ status: 404, data: FAILED, to: null });
    expect(await everything(app.db)).toEqual(before);
  });
});

describe("without a choice", () => {
  const withFile = () => {
    const form = new FormData();
    form.set("packId", new File([packId], "pack.txt"));
    return form;
  };
  const twice = () =>
    new URLSearchParams([
      ["packId", packId],
      ["packId", packId],
    ]);
  test.each<[string, () => BodyInit | Record<string, string>]>([
    ["no fields", () => ({})],
    ["an empty pack", () => ({ packId: "" })],
    ["two packs", twice],
    ["a pack that is a file", withFile],
    ["a body that is no form", () => JSON.stringify({ packId })],
    ["a broken form", () => new Blob(["--x"], { type: "multipart/form-data; boundary=x" })],
  ])("%s: the plans say so in our own words, nothing written", async (_, body) => {
    const { cookie } = await player();
    const before = await everything(app.db);
    const result = await post(cookie, body());
    expect([result.status, result.to]).toEqual([422, null]);
    expect(result.data).toMatchObject({ fieldErrors: { packId: "Choose a plan first." } });
    expect(await everything(app.db)).toEqual(before);
  });

  test("without JavaScript the plans stand there again", async () => {
    const { cookie } = await player();
    const body = new URLSearchParams({ returnTo: "/bookings" });
    const html = await (await (await openSite(app))("/checkout", { cookie, body })).text();
    expect(html).toMatch(/<dialog[^>]* id="plans"[^>]* open=""/);
    expect(html).toContain('name="returnTo" value="/bookings"');
    expect(html).not.toContain("Failed to process request");
  });
});

describe("with a monthly plan", () => {
  async function subscriber(status = "active") {
    const who = await player();
    const customer_id = `cus_${who.id}`;
    await app.db.insertInto("stripe_customers").values({ customer_id, user_id: who.id }).execute();
    const plan = { id: `sub_${who.id.replaceAll("-", "")}`, customer_id, status, pack_id: packId };
    await app.db
      .insertInto("subscriptions")
      .values({ ...plan, state_at: new Date() })
      .execute();
    return { ...who, plan };
  }

  test.each(["active", "trialing", "past_due"])(
    "one that is %s: no second one is sold, and the page leads to the portal",
    async (status) => {
      const { cookie, plan } = await subscriber(status);
      const before = await everything(app.db);
      const result = await post(cookie, { packId, returnTo: "/events/1" });
      expect([result.status, result.data, result.to]).toEqual([
        409,
        {
          title: "You already have a monthly plan",
          formError:
            "4 games a month is running, so nothing was bought. To change it, use Manage subscription.",
          subscriptionId: plan.id,
          values: { returnTo: "/events/1" },
        },
        null,
      ]);
      expect(result.headers.getSetCookie()).toEqual([]);
      expect(await everything(app.db)).toEqual(before);
      const html = await (
        await (
          await openSite(app)
        )("/checkout", { cookie, body: new URLSearchParams({ packId }) })
      ).text();
      expect(html).toMatch(/<form[^>]* action="\/wallet"/);
      expect(html).toContain(`name="subscriptionId" value="${plan.id}"`);
    },
  );

  test.each(["canceled", "unpaid", "incomplete_expired"])(
    "one that is %s stands in no new one's way",
    async (status) => {
      const { cookie } = await subscriber(status);
      expect(await post(cookie, { packId })).toMatchObject({ status: 303 });
    },
  );

  test("a single game is still sold, and another player's plan changes nothing", async () => {
    const [{ cookie }, other] = [await subscriber(), await player()];
    const single = app.db.selectFrom("credit_packs").select("id");
    const { id } = await single.where("pack_key", "=", "pay_per_game").executeTakeFirstOrThrow();
    const url = "http://kickabout.test/demo/checkout/pay_per_game";
    await app.db
      .updateTable("credit_packs")
      .set({ stripe_checkout_link: url })
      .where("id", "=", id)
      .execute();
    expect(await post(cookie, { packId: id })).toMatchObject({ status: 303 });
    expect(await post(other.cookie, { packId })).toMatchObject({ status: 303 });
  });
});

describe("in the browser", () => {
  const run = (serverAction: () => Promise<never>) =>
    clientAction({ serverAction } as never as Parameters<typeof clientAction>[0]);

  // spec: 8.16
  test("a failure or a lost connection is a result", async () => {
    const result = await run(() => Promise.reject(new TypeError("Failed to fetch")));
    expect(result).toMatchObject({ data: FAILED, init: { status: 503 } });
  });

  test("a redirect goes on", async () => {
    const redirect = new Response(null, { status: 302 });
    await expect(run(() => Promise.reject(redirect))).rejects.toBe(redirect);
  });
});
