import { expect, test } from "vitest";
import { cancelTerms, soldTerms } from "./rules.ts";

const row = { price_eur: "10.00", refund_hours: 24, refund_fee_eur: "0.99" };
test.each([
  ["10.00", false, false],
  ["0.00", true, false],
  ["0.00", false, true],
])("%s, free session: %s: settled with the organiser: %s", (price_eur, isFree, isPaidElsewhere) => {
  const priceCents = price_eur === "0.00" ? 0 : 1_000;
  const terms = { priceCents, refundHours: 24, refundFeeCents: 99, isPaidElsewhere };
  expect(soldTerms({ ...row, price_eur, uses_free_session: isFree })).toEqual(terms);
});

const startsAt = new Date("2026-11-26T17:00:00Z");
test.each([
  [0, 0, "Free cancellation until Thu 19:00"],
  [0, 99, "9.01 credits back until Thu 19:00"],
  [24, 0, "10 credits back until Wed 19:00"],
])("refunded until %i hours before, less %i cents: %s", (refundHours, refundFeeCents, words) => {
  const terms = { priceCents: 1_000, refundHours, refundFeeCents };
  expect(cancelTerms(terms, startsAt, new Date("2026-11-21T10:00:00Z"))).toBe(words);
});
