import { expect, test } from "vitest";
import { about, aPayer, packId, useAdminPayments } from "#test/admin.ts";
import { monthlyPurchase, PACK, singlePurchase, tell } from "#test/payments.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";

const desk = useAdminPayments();

/** All that settling may touch: equal before and after, nothing was written. */
const state = async () => ({
  events: await desk.app.db.selectFrom("stripe_events").selectAll().orderBy("id").execute(),
  payments: await desk.app.db.selectFrom("payments").select("id").orderBy("id").execute(),
  deeds: await desk.app.db.selectFrom("audit_log").select("id").orderBy("id").execute(),
});

const parked = async () => {
  const { completed } = singlePurchase(null);
  await tell(desk.app.db, completed);
  return completed;
};

test.each([
  ["", "Email is required"],
  ["nobody", "Please enter a valid email address"],
  ["nobody\0@uni.example", "Please enter a valid email address"],
  ["nobody@uni.example", "No player has this email address."],
  [`${"x".repeat(300)}@uni.example`, "Email is too long"],
])("the email %j", async (email, words) => {
  const event = await parked();
  const before = await state();
  const pack = await packId(desk.app, PACK);
  expect(await desk.post(about(event, "assign", { email, packId: pack }))).toMatchObject({
    status: 422,
    refusal: { eventId: event.id, errors: { email: words }, values: { email, packId: pack } },
  });
  expect(await state()).toEqual(before);
});

test.each(["", "x", "\0", crypto.randomUUID()])("the pack %j", async (packId) => {
  const event = await parked();
  const before = await state();
  const { email } = await aPayer(desk.app);
  expect(await desk.post(about(event, "assign", { email, packId }))).toMatchObject({
    status: 422,
    refusal: { errors: { packId: "Choose the pack that was paid for." }, values: { email } },
  });
  expect(await state()).toEqual(before);
});

test("a customer who is another player's", async () => {
  const [one, other] = [await aPayer(desk.app), await aPayer(desk.app)];
  const story = monthlyPurchase(one.id);
  const invoice = story.paid(0, { amount_paid: 1 });
  await tell(desk.app.db, [story.completed, invoice]);
  const before = await state();
  const fields = { email: other.email, packId: await packId(desk.app, "monthly_4") };
  expect(await desk.post(about(invoice, "assign", fields))).toMatchObject({
    status: 409,
    refusal: {
      notice: { description: "This Stripe customer belongs to another player already." },
      values: fields,
    },
  });
  expect(await state()).toEqual(before);
});

test("what is no purchase", async () => {
  const { refunded } = singlePurchase(null);
  const event = refunded(999);
  await tell(desk.app.db, event);
  expect((await desk.open()).payments).toMatchObject([{ kind: "Refund", assign: null }]);
  const { email } = await aPayer(desk.app);
  expect(await desk.post(about(event, "assign", { email }))).toMatchObject({
    status: 409,
    refusal: { notice: { description: "This cannot be given to a player." } },
  });
});

test("what cost nothing has no credits to give", async () => {
  const free = singlePurchase(null, { amount_total: 0 });
  const month = monthlyPurchase(null).paid(0, { amount_paid: 0 });
  await tell(desk.app.db, [free.completed, month]);
  const { payments } = await desk.open();
  const assignOf = ({ id }: SentEvent) => payments.find((each) => each.id === id)?.assign;
  expect(assignOf(free.completed)).toBeNull();
  expect(assignOf(month)).toMatchObject({ needsPack: false });
});

test.each([
  {},
  { intent: "retry" },
  { intent: "retry", eventId: "" },
  { intent: "dismiss", eventId: "evt\0" },
  { intent: "grant", eventId: "evt_1" },
  "no form",
])("%j", async (body) => {
  await parked();
  const before = await state();
  expect(await desk.post(body as Record<string, string>)).toMatchObject({
    status: 400,
    refusal: { notice: { title: "Error" } },
  });
  expect(await state()).toEqual(before);
});

test("an event that is not there", async () => {
  for (const intent of ["assign", "retry", "dismiss"]) {
    const fields = { intent, eventId: "evt_none", email: "ada@uni.example" };
    expect((await desk.post(fields)).status).toBe(409);
  }
});
