import { expect, test } from "vitest";
import { toSubscriptionView } from "./subscription-view.server.ts";

test.each([
  ["active", false, "Active", "Renews on Dec 21."],
  ["trialing", false, "Active", "Renews on Dec 21."],
  ["active", true, "Ends on Dec 21", "It does not renew"],
  ["past_due", false, "Payment failed", "Manage subscription"],
  ["unpaid", true, "Payment failed", "Manage subscription"],
  ["canceled", false, "Ended", "Nothing renews any more."],
  ["incomplete", false, "Not paid yet", "once it is paid"],
  ["paused", false, "Paused", "Nothing renews for now."],
])("a subscription: %s, ending %s", (status, isEnding, state, next) => {
  const periodEnd = new Date("2026-12-21T10:00:00Z");
  const month = { creditsCents: 4_000, priceCents: 3_400 };
  const view = toSubscriptionView({
    id: "sub_1",
    status,
    isEnding,
    periodEnd,
    packId: null,
    packName: null,
    startedAt: null,
    month,
  });
  expect(view).toMatchObject({
    name: "Subscription",
    state,
    grants: "40 credits a month for 34.00\u00a0€, incl. VAT",
  });
  expect(view.next).toContain(next);
  expect(view.origin).toBe("Reference …ub_1");
});
