import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben } from "#test/fixtures.ts";
import { payingOf } from "#test/payment-holds.ts";
import { deliverEvents, monthlyPurchase, singlePurchase, somePacks } from "#test/payments.ts";
import { signIn } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
beforeAll(async () => {
  app = testApp(database);
  await somePacks(app.db);
});

async function aPurchase() {
  const userId = await ben(app.db);
  const purchase = singlePurchase(userId);
  await deliverEvents(database, purchase.completed);
  const payments = app.db.selectFrom("payments").select(["id", "receipt_number"]);
  const payment = await payments
    .where("stripe_object_id", "=", purchase.id)
    .executeTakeFirstOrThrow();
  return { userId, purchase, payment, path: `/wallet/receipts/${payment.id}` };
}

async function open(path: string, userId?: string) {
  const site = await openSite(app);
  const cookie = userId && (await signIn(app, userId));
  const response = await site(path, { cookie });
  return {
    status: response.status,
    to: response.headers.get("Location"),
    html: await response.text(),
  };
}

test("a receipt is a page for its buyer alone, whole without JavaScript", async () => {
  const { userId, path, payment } = await aPurchase();
  const { status, html } = await open(path, userId);
  expect(status).toBe(200);
  const number = String(payment.receipt_number).padStart(4, "0");
  expect(html).toContain(`Receipt ${new Date().getFullYear()}-${number}</h1>`);
  for (const text of [
    "10 credits, Single game",
    "9.99\u00a0€",
    "VAT 13.5 %",
    "1.19\u00a0€",
    "Ben",
  ]) {
    expect(html).toContain(text);
  }
  expect(html).not.toContain(">Print<");
  expect((await open(path, await ada(app.db))).status).toBe(404);
  expect(await open(path)).toMatchObject({ status: 302, to: "/" });
});

test("a receipt names the game that it was to pay for, unless its spot was given back", async () => {
  const [userId, gameId] = [await ben(app.db), await aGame(app.db, { startsIn: 96 })];
  const paying = payingOf(database);
  await paying.hold(gameId, userId);
  const [bought, plan] = [await paying.pay(userId), monthlyPurchase(userId)];
  await deliverEvents(database, [plan.completed, plan.created, plan.paid(0)]);
  const receiptOf = async (objectId: string) => {
    const payments = app.db.selectFrom("payments").select("id");
    const { id } = await payments
      .where("stripe_object_id", "=", objectId)
      .executeTakeFirstOrThrow();
    return (await open(`/wallet/receipts/${id}`, userId)).html;
  };
  expect(await receiptOf(bought.id)).toContain("For Campus Hall, ");
  const month = await receiptOf(plan.invoiceId(0));
  expect(month).not.toContain("For Campus Hall");
  expect(month).toContain("by card");
  const another = await aGame(app.db, { startsIn: 120 });
  await paying.hold(another, userId);
  const late = singlePurchase(userId);
  await deliverEvents(database, late.unpaid);
  await paying.stop(another, userId);
  await deliverEvents(database, late.succeeded);
  expect(await receiptOf(late.id)).not.toContain("For Campus Hall");
});

test("what is no receipt of one's own is not found", async () => {
  const userId = await ada(app.db);
  for (const id of [crypto.randomUUID(), "x", "%00"]) {
    expect((await open(`/wallet/receipts/${id}`, userId)).status).toBe(404);
  }
});

test("a refund stands on the receipt from the moment Stripe reports it", async () => {
  const { userId, path, purchase } = await aPurchase();
  expect((await open(path, userId)).html).not.toContain("Refunded");
  await deliverEvents(database, purchase.refunded(400));
  const { html } = await open(path, userId);
  expect(html).toMatch(/Refunded on \w{3} \d+, \d{4}/);
  expect(html).toContain("Paid after that, with 0.71\u00a0€ VAT");
});

test("the statement leads to the receipt of each purchase", async () => {
  const { userId, path } = await aPurchase();
  const { html } = await open("/wallet", userId);
  expect(html).toMatch(new RegExp(`href="${path}"[^>]*>Receipt \\d{4}-\\d{4}</a>`));
});
