import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, balanceCents, ben, everything, NOW } from "#test/fixtures.ts";
import { somePacks } from "#test/payments.ts";
import { visit } from "#test/visit.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { openSite } from "#test/whole-site.ts";
import { returnCookie } from "#app/routes/credits/plans.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { action, loader } from "./checkout.tsx";
import { stripeId } from "./stripe-objects.ts";

type Page = Awaited<ReturnType<typeof loader>>;

const database = useDatabase();
let app: App;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  await somePacks(app.db);
});

const SINGLE = "pay_per_game";
const MONTHLY = "monthly_4";

/** A checkout of its own, as the page gives it. */
function checkout(packKey: string, playerId: string | null = null, as = () => app) {
  const seed = crypto.randomUUID().replaceAll("-", "");
  const sessionId = `cs_test_${seed}`;
  const reference = playerId === null ? "" : `client_reference_id=${playerId}&`;
  const path = `/demo/checkout/${encodeURIComponent(packKey)}?${reference}prefilled_email=ben%40uni.example`;
  return {
    sessionId,
    open: async (query = "") => {
      const page = await visit(as(), loader, { path: path + query });
      return { status: page.status, headers: page.headers, page: page.data as Page };
    },
    post: async (intent: string, fields: Record<string, string> = {}) => {
      const body = { intent, email: "ben@uni.example", sessionId, ...fields };
      const { status, headers, data } = await visit(as(), action, { path, body });
      return { status, to: headers.get("Location"), data };
    },
    paidPage: `/wallet/paid?session_id=${sessionId}`,
    events: async () => {
      const rows = app.db
        .selectFrom("stripe_events")
        .select(["type", "status", "reason"])
        .where("id", "like", `evt_${seed}%`)
        .orderBy("type");
      return (await rows.execute()).map(({ type, status, reason }) =>
        [type, status, ...(reason ? [reason] : [])].join(" "),
      );
    },
  };
}

async function payments(sessionId: string) {
  const ids = [sessionId, stripeId("in", sessionId)];
  const rows = app.db.selectFrom("payments").selectAll().where("stripe_object_id", "in", ids);
  return rows.execute();
}

const messagesOf = ({ formError, fieldErrors = {} }: FormResult) => [
  ...(formError ? [formError] : []),
  ...Object.values(fieldErrors),
];

describe("the page", () => {
  test("shows the pack and its price, and knows the payer", async () => {
    const { page, status } = await checkout(SINGLE, await ben(app.db)).open();
    expect(status).toBe(200);
    expect(page).toMatchObject({
      pack: {
        name: "Single game",
        price: "9.99\u00a0€",
        terms: "incl. VAT",
        credits: "10 credits",
      },
      today: null,
      methods: "Secure payment by card or MobilePay.",
      email: "ben@uni.example",
      hasPlayer: true,
      bank: null,
    });
  });

  test("shows the price at which a monthly pack renews, and when", async () => {
    const { page } = await checkout(MONTHLY).open();
    expect(page.hasPlayer).toBe(false);
    expect(page.today).toMatch(/^Charged today: 34\.00\u00a0€\. Renews on \w{3} \d+\.$/);
    expect(page.methods).toBe("Secure payment by card. MobilePay: for single payments only.");
    expect(page.pack).toMatchObject({
      terms: "a month, incl. VAT",
      credits: "40 credits a month",
      renewal:
        "Renews every month at 34.00\u00a0€, incl. VAT, until you cancel. Credits reset monthly.",
    });
  });

  test("is another payment each time it is opened", async () => {
    const { open } = checkout(SINGLE);
    const [one, other] = [await open(), await open()];
    expect(one.page.sessionId).toMatch(/^cs_test_\w{32}$/);
    expect(one.page.sessionId).not.toBe(other.page.sessionId);
  });

  test("names the game at which the purchase began, and leads back to it", async () => {
    const gameId = await aGame(app.db, { startsIn: 48, spots: 2 });
    const path = `/events/${gameId}`;
    const [cookie = ""] = (await returnCookie(app.env, path)).split(";");
    const site = await openSite(app);
    const html = await (await site("/demo/checkout/pay_per_game", { cookie })).text();
    expect(html).toMatch(/Campus Hall<.*Mon 12:00<.*2 spots left/);
    expect(html).toContain("No spot is held for you any more.");
    expect(html).toMatch(new RegExp(`href="${path}"[^>]*>.*Back to game`));
    const other = await (await site("/demo/checkout/pay_per_game")).text();
    expect(other).toMatch(/href="\/wallet"[^>]*>.*Wallet/);
  });

  test("drops a reference and an address that Stripe would drop", async () => {
    const path = "/demo/checkout/pay_per_game?client_reference_id=a%20b&prefilled_email=nobody";
    const page = await visit(app, loader, { path });
    expect(page.data).toMatchObject({ hasPlayer: false, email: "" });
  });

  test.each(["nothing", "constructor", "pay_per_game\0"])("no pack %j", async (key) => {
    const { open, post } = checkout(key);
    expect((await open()).status).toBe(404);
    expect((await post("pay")).status).toBe(404);
  });

  test("a pack that is no longer on sale is gone", async () => {
    const values = { pack_key: "old", pack_name: "Old", price_eur: "5", total_credit_eur: "5" };
    await app.db
      .insertInto("credit_packs")
      .values({ ...values, is_active: false })
      .execute();
    expect((await checkout("old").open()).status).toBe(404);
  });

  test.each([
    ["in production", { demo: false }],
    ["where Stripe is configured", { stripeSecretKey: "sk_test_1" }],
  ])("there is none %s", async (_, env) => {
    const live = { ...app, env: { ...app.env, ...env } };
    const { open, post } = checkout(SINGLE, await ben(app.db), () => live);
    const before = await everything(app.db);
    expect((await open()).status).toBe(404);
    expect((await post("pay")).status).toBe(404);
    expect(await everything(app.db)).toEqual(before);
  });
});

describe("one game", () => {
  test("paid at once", async () => {
    const playerId = await ben(app.db);
    const { post, events, paidPage, sessionId } = checkout(SINGLE, playerId);
    expect(await post("pay")).toMatchObject({ status: 303, to: paidPage });
    expect(await events()).toEqual(["checkout.session.completed applied"]);
    expect(await balanceCents(app.db, playerId)).toBe(1_000);
    expect(await payments(sessionId)).toMatchObject([{ user_id: playerId, amount_eur: "9.99" }]);
  });

  test("clicked twice, or twice at the same time, it is one payment", async () => {
    const playerId = await ben(app.db);
    const { post, paidPage } = checkout(SINGLE, playerId);
    const answers = [...(await Promise.all([post("pay"), post("pay")])), await post("pay")];
    expect(answers.map(({ to }) => to)).toEqual([paidPage, paidPage, paidPage]);
    expect(await balanceCents(app.db, playerId)).toBe(1_000);
  });

  test("paid later, and the bank confirms", async () => {
    const playerId = await ben(app.db);
    const { post, events, open, sessionId, paidPage } = checkout(SINGLE, playerId);
    const { status, to } = await post("pay-later");
    expect([status, to]).toEqual([
      303,
      `/demo/checkout/pay_per_game?client_reference_id=${playerId}` +
        `&prefilled_email=ben%40uni.example&session_id=${sessionId}`,
    ]);
    const { page } = await open(`&session_id=${sessionId}`);
    expect(page).toMatchObject({ bank: "awaited", sessionId });
    expect(await balanceCents(app.db, playerId)).toBe(0);
    expect(await post("bank-confirms")).toMatchObject({ status: 303, to: paidPage });
    expect(await events()).toEqual([
      "checkout.session.async_payment_succeeded applied",
      "checkout.session.completed applied",
    ]);
    await post("bank-confirms");
    expect(await balanceCents(app.db, playerId)).toBe(1_000);
  });

  test("paid later, and the bank declines", async () => {
    const playerId = await ben(app.db);
    const { post, events, open, sessionId } = checkout(SINGLE, playerId);
    await post("pay-later");
    const { to } = await post("bank-declines");
    expect(to).toContain("bank=declined");
    const { page } = await open(`&session_id=${sessionId}&bank=declined`);
    expect(page.bank).toBe("declined");
    expect(page.again).not.toContain("session_id");
    expect(await events()).toEqual([
      "checkout.session.async_payment_failed applied",
      "checkout.session.completed applied",
    ]);
    expect(await balanceCents(app.db, playerId)).toBe(0);
  });

  test("without a player it is unmatched, and the payer is still sent on", async () => {
    const { post, events, paidPage } = checkout(SINGLE);
    expect(await post("pay")).toMatchObject({ status: 303, to: paidPage });
    expect(await events()).toEqual(["checkout.session.completed parked unknown-player"]);
  });

  test("without a session in the form it is a payment of its own", async () => {
    const playerId = await ben(app.db);
    const { post } = checkout(SINGLE, playerId);
    for (let time = 0; time < 2; time += 1) {
      expect((await post("pay", { sessionId: "" })).to).toMatch(/session_id=cs_test_\w{32}$/);
    }
    expect(await balanceCents(app.db, playerId)).toBe(2_000);
  });
});

describe("a month", () => {
  test("subscribed: the worst order of events, the credits once", async () => {
    const playerId = await ben(app.db);
    const { post, events, paidPage, sessionId } = checkout(MONTHLY, playerId);
    expect(await post("subscribe")).toMatchObject({ status: 303, to: paidPage });
    expect(await events()).toEqual([
      "checkout.session.completed applied",
      "customer.created ignored",
      "customer.subscription.created applied",
      "invoice.paid applied",
      "invoice_payment.paid applied",
    ]);
    await post("subscribe");
    expect(await balanceCents(app.db, playerId)).toBe(4_000);
    const [payment] = await payments(sessionId);
    expect(payment).toMatchObject({
      stripe_object_id: stripeId("in", sessionId),
      subscription_id: stripeId("sub", sessionId),
    });
    const plan = app.db.selectFrom("subscriptions").selectAll();
    expect(
      await plan.where("id", "=", stripeId("sub", sessionId)).executeTakeFirst(),
    ).toMatchObject({
      status: "active",
      cancel_at_period_end: false,
      current_period_end: new Date("2026-12-21T10:00:00Z"),
    });
  });

  test("a second one is rejected, as Stripe does where a link is limited to one", async () => {
    const playerId = await ben(app.db);
    await checkout(MONTHLY, playerId).post("subscribe");
    const second = checkout("monthly_8", playerId);
    expect(await second.post("subscribe")).toMatchObject({
      status: 409,
      data: { title: "Already subscribed", formError: expect.stringContaining("Nothing was paid") },
    });
    expect(await second.events()).toEqual([]);
    expect(await balanceCents(app.db, playerId)).toBe(4_000);
    expect(await checkout(SINGLE, playerId).post("pay")).toMatchObject({ status: 303 });
  });

  test("without a player the credits are given to no one", async () => {
    const { post, events } = checkout(MONTHLY);
    await post("subscribe");
    expect(await events()).toContain("invoice.paid parked unknown-customer");
    expect(await events()).toContain("checkout.session.completed parked unknown-player");
  });
});

describe("a form that fails sends nothing", () => {
  test.each([
    [SINGLE, "decline", {}, 402],
    [MONTHLY, "decline", {}, 402],
    [SINGLE, "subscribe", {}, 400],
    [MONTHLY, "pay", {}, 400],
    [MONTHLY, "bank-confirms", {}, 400],
    [SINGLE, "", {}, 400],
    [SINGLE, "constructor", {}, 400],
    [SINGLE, "bank-confirms", { sessionId: "cs_live_1" }, 400],
    [SINGLE, "pay", { email: "nobody" }, 422],
  ])("%s: %s %o", async (packKey, intent, fields, status) => {
    const playerId = await ben(app.db);
    const { post, events } = checkout(packKey, playerId);
    const answer = await post(intent, fields);
    expect(answer.status).toBe(status);
    expect(answer.data).toMatchObject({ title: "Payment failed" });
    expect(messagesOf(answer.data)).toEqual([expect.any(String)]);
    expect(await events()).toEqual([]);
    expect(await balanceCents(app.db, playerId)).toBe(0);
  });
});
