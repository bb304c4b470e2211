import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { balanceCents, ben, everything, hoursLater, NOW } from "#test/fixtures.ts";
import { somePacks } from "#test/payments.ts";
import { signIn, visit } from "#test/visit.ts";
import type { App } from "#app/routes/context.server.ts";
import { action as checkout } from "./checkout.tsx";
import { action, loader } from "./portal.tsx";
import { stripeId } from "./stripe-objects.ts";

type Page = Awaited<ReturnType<typeof loader>>;

const database = useDatabase();
let app: App;
let now = NOW;
beforeAll(async () => {
  app = testApp(database, () => now);
  await somePacks(app.db);
});

const PATH = "/demo/checkout/portal";

/** A player who has bought a pack, with the portal as that player sees it. */
async function payer(packKey: "pay_per_game" | "monthly_4") {
  const id = await ben(app.db);
  const sessionId = stripeId("cs_test");
  const intent = packKey === "pay_per_game" ? "pay" : "subscribe";
  await visit(app, checkout, {
    path: `/demo/checkout/${packKey}?client_reference_id=${id}`,

    body: { intent, sessionId, email: "ben@uni.example" },
  });
  const cookie = await signIn(app, id);
  const open = async () => (await visit(app, loader, { path: PATH, cookie })).data as Page;
  const post = (body: Record<string, string>) => visit(app, action, { path: PATH, cookie, body });
  /** Presses a button of the first subscription or payment, as it is shown now. */
  const press = async (kind: keyof Page, pressed: string) => {
    const [item] = (await open())[kind];
    const { status } = await post({ id: item!.id, seen: item!.state, intent: pressed });
    expect(status).toBe(303);
    return (await open())[kind][0]!;
  };
  const balance = () => balanceCents(app.db, id);
  const debt = async () => (await profile(id)).wallet_debt_eur;
  return { id, sessionId, cookie, open, post, press, balance, debt };
}

function profile(userId: string) {
  const rows = app.db.selectFrom("profiles").selectAll().where("user_id", "=", userId);
  return rows.executeTakeFirstOrThrow();
}

const intents = (item: Page["payments"][number]) => item.buttons.map(({ intent }) => intent);

describe("a subscription", () => {
  test("is shown until when it is paid", async () => {
    const { open } = await payer("monthly_4");
    const { subscriptions, payments } = await open();
    expect(subscriptions).toMatchObject([
      {
        name: "4 games a month",
        facts: "34.00\u00a0€ a month, paid until Dec 21, 2026",
        badge: { text: "Active" },
      },
    ]);
    expect(intents(subscriptions[0]!)).toEqual([
      "renew",
      "change-to-monthly_8",
      "change-to-monthly_12",
      "cancel-at-period-end",
      "cancel-now",
    ]);
    expect(payments).toMatchObject([{ name: "4 games a month", badge: { text: "Paid" } }]);
  });

  test("renewed: the next month's credits replace this one's", async () => {
    const { press, balance, open } = await payer("monthly_4");
    const renewed = await press("subscriptions", "renew");
    expect(renewed.facts).toContain("paid until Jan 21, 2027");
    expect(await balance()).toBe(4_000);
    expect((await open()).payments).toHaveLength(2);
    now = hoursLater(1);
    expect((await press("subscriptions", "renew")).facts).toContain("Feb 21, 2027");
    now = NOW;
    expect((await open()).payments).toHaveLength(3);
  });

  test("renewed by two clicks it is renewed once", async () => {
    const { open, post } = await payer("monthly_4");
    const [item] = (await open()).subscriptions;
    const click = { id: item!.id, seen: item!.state, intent: "renew" };
    const together = await Promise.all([post(click), post(click)]);
    expect([...together, await post(click)].map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await open()).payments).toHaveLength(2);
  });

  test("changed, back and forth, the plan counts from the next renewal on", async () => {
    const { press, balance } = await payer("monthly_4");
    const changed = await press("subscriptions", "change-to-monthly_12");
    expect(changed).toMatchObject({
      name: "12 games a month",
      facts: "90.00\u00a0€ a month, paid until Dec 21, 2026",
    });
    expect(await balance()).toBe(4_000);
    now = hoursLater(1);
    expect((await press("subscriptions", "change-to-monthly_4")).name).toBe("4 games a month");
    now = hoursLater(2);
    await press("subscriptions", "change-to-monthly_12");
    await press("subscriptions", "renew");
    now = NOW;
    expect(await balance()).toBe(12_000);
  });

  test("cancelled at the period's end it goes on, then ended for good", async () => {
    const { press, balance } = await payer("monthly_4");
    const ending = await press("subscriptions", "cancel-at-period-end");
    expect([ending.badge.text, intents(ending)]).toEqual(["Ends Dec 21, 2026", ["cancel-now"]]);
    const ended = await press("subscriptions", "cancel-now");
    expect([ended.badge.text, intents(ended)]).toEqual(["Ended", []]);
    expect(await balance()).toBe(4_000);
  });
});

describe("a payment", () => {
  test("refunded by halves", async () => {
    const { press, balance, debt } = await payer("pay_per_game");
    const half = await press("payments", "refund-half");
    expect(half.badge.text).toBe("5.00\u00a0€ refunded");
    expect(await balance()).toBe(500);
    const whole = await press("payments", "refund-half");
    expect([whole.badge.text, intents(whole)]).toEqual(["Refunded", []]);
    expect([await balance(), await debt()]).toEqual([0, "0.00"]);
  });

  test("refunded in full at once, a renewal's too", async () => {
    const { press, balance } = await payer("monthly_4");
    await press("subscriptions", "renew");
    expect((await press("payments", "refund")).badge.text).toBe("Refunded");
    expect(await balance()).toBe(0);
  });

  test("half a refund by two clicks is half a refund", async () => {
    const { open, post, balance } = await payer("pay_per_game");
    const [item] = (await open()).payments;
    const click = { id: item!.id, seen: item!.state, intent: "refund-half" };
    await Promise.all([post(click), post(click)]);
    await post(click);
    expect(await balance()).toBe(500);
  });

  test("a dispute takes the credits, and won it gives them back", async () => {
    const { press, balance } = await payer("pay_per_game");
    const open = await press("payments", "dispute");
    expect([open.badge.text, intents(open)]).toEqual(["Disputed", ["win-dispute", "lose-dispute"]]);
    expect(await balance()).toBe(0);
    const won = await press("payments", "win-dispute");
    expect([won.badge.text, intents(won)]).toEqual(["Dispute won", ["refund", "refund-half"]]);
    expect(await balance()).toBe(1_000);
  });

  test("a lost dispute is the end of it", async () => {
    const { press, balance } = await payer("pay_per_game");
    await press("payments", "dispute");
    const lost = await press("payments", "lose-dispute");
    expect([lost.badge.text, intents(lost)]).toEqual(["Dispute lost", []]);
    expect(await balance()).toBe(0);
  });
});

describe("nothing happens", () => {
  test("to what is another's", async () => {
    const [one, other] = [await payer("monthly_4"), await payer("pay_per_game")];
    const page = await one.open();
    const before = await everything(app.db);
    for (const item of [...page.subscriptions, ...page.payments]) {
      for (const { intent } of item.buttons) {
        expect((await other.post({ id: item.id, seen: item.state, intent })).status).toBe(404);
      }
    }
    expect(await everything(app.db)).toEqual(before);
    const theirs = await other.open();
    expect([theirs.subscriptions, theirs.payments.length]).toEqual([[], 1]);
  });

  test("by a button that is not there, or a form without fields", async () => {
    const { open, post } = await payer("pay_per_game");
    const [item] = (await open()).payments;
    const before = await everything(app.db);
    const form = { id: item!.id, seen: item!.state };
    for (const intent of ["win-dispute", "renew", "constructor", ""]) {
      expect((await post({ ...form, intent })).status).toBe(400);
    }
    expect((await post({})).status).toBe(404);
    expect((await post({ id: item!.id, intent: "refund" })).status).toBe(303);
    expect(await everything(app.db)).toEqual(before);
  });

  test("for visitors, and outside the sandbox", async () => {
    const { cookie } = await payer("pay_per_game");
    const visitor = await visit(app, loader, { path: PATH });
    expect([visitor.status, visitor.headers.get("Location")]).toEqual([
      302,
      "/auth?redirectTo=%2Fdemo%2Fcheckout%2Fportal",
    ]);
    for (const env of [{ demo: false }, { stripeSecretKey: "sk_test_1" }]) {
      const live = { ...app, env: { ...app.env, ...env } };
      expect((await visit(live, loader, { path: PATH, cookie })).status).toBe(404);
      expect((await visit(live, action, { path: PATH, cookie, body: {} })).status).toBe(404);
    }
  });
});
