import { olderInvoice } from "#test/payments.ts";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { readStripeEvent } from "#app/features/wallet/stripe/stripe-event.ts";
import { sign } from "./sandbox.server.ts";
import {
  invoice,
  invoicePayment,
  charge,
  checkoutSession,
  customer,
  dispute,
  event,
  monthFrom,
  stripeId,
  subscription,
} from "./stripe-objects.ts";

const seconds = (text: string) => Date.parse(text) / 1_000;

test("ids of one seed share what follows the prefix; without a seed no two are the same", () => {
  expect(stripeId("cs_test", "Ada's first")).toBe("cs_test_Adasfirst");
  expect(stripeId("pi", "cs_test_Adasfirst")).toBe("pi_Adasfirst");
  expect(stripeId("in", "in_a")).toBe("in_a");
  expect(stripeId("evt")).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(stripeId("evt")).not.toBe(stripeId("evt"));
});

test.each([
  ["2026-11-21T10:00:00Z", "2026-12-21T10:00:00Z"],
  ["2026-12-31T23:30:00Z", "2027-01-31T23:30:00Z"],
  ["2027-01-31T10:00:00Z", "2027-02-28T10:00:00Z"],
  ["2028-01-30T10:00:00Z", "2028-02-29T10:00:00Z"],
])("a month from %s ends %s", (start, end) => {
  expect(monthFrom(seconds(start)).end).toBe(seconds(end));
});

test("the objects of a purchase name each other", () => {
  const session = checkoutSession({ id: "cs_test_a", mode: "subscription" });
  expect(session).toMatchObject({ customer: "cus_a", subscription: "sub_a", invoice: "in_a" });
  expect(subscription({ id: "sub_a", priceId: "price_a" }).customer).toBe("cus_a");
  expect(customer({ id: "cus_a" }).object).toBe("customer");
  expect(invoicePayment({ invoice: "in_a" }).payment.payment_intent).toBe("pi_a");
  expect(charge({ id: "ch_a" }).payment_intent).toBe("pi_a");
  expect(dispute({ id: "du_a" })).toMatchObject({ charge: "ch_a", payment_intent: "pi_a" });
});

test("an invoice says the same in both shapes, but for how it was paid", () => {
  const period = monthFrom(seconds("2026-11-21T10:00:00Z"));
  const fields = { id: "in_a", subscriptionId: "sub_a", priceId: "price_a", period };
  const read = (object: object) => readStripeEvent(event("invoice.paid", object));
  const now = read(invoice(fields));
  expect(now).toEqual({
    kind: "invoice",
    invoice: {
      id: "in_a",
      customerId: "cus_a",
      subscriptionId: "sub_a",
      reason: "subscription_cycle",
      priceIds: ["price_a"],
      amountCents: 3_400,
      currency: "eur",
      periodEnd: new Date("2026-12-21T10:00:00Z"),
      references: [],
    },
  });
  const references = ["pi_a", "ch_a"];
  expect(read(olderInvoice(fields))).toMatchObject({
    invoice: { ...(now as { invoice: object }).invoice, references },
  });
});

test("an event is signed as Stripe signs", () => {
  const stripeWebhookSecrets = ["whsec_one", "whsec_two"];
  const sent = event("checkout.session.completed", checkoutSession());
  const { payload, signature } = sign({ stripeWebhookSecrets }, sent);
  expect(Stripe.webhooks.constructEvent(payload, signature, "whsec_one")).toEqual(sent);
  expect(() => Stripe.webhooks.constructEvent(payload, signature, "whsec_two")).toThrow(
    "signature",
  );
});
