import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reclaimTarget } from "#app/features/wallet/rules.ts";
import {
  dueText,
  lastWithdrawalDay,
  parseInboxFilter,
  refundDue,
  refundTask,
  withdrawalRefundCents,
} from "./rules.ts";

test.each([
  ["2026-11-17", "2026-12-01", "a Tuesday"],
  ["2026-11-20", "2026-12-04", "a Friday"],
  ["2026-11-21", "2026-12-07", "a Saturday goes on to Monday"],
  ["2026-11-22", "2026-12-07", "a Sunday goes on to Monday"],
  ["2026-12-22", "2027-01-05", "over the turn of the year"],
  ["2028-02-16", "2028-03-01", "over a leap day"],
])("bought on %s: until %s, %s", (paidOn, lastDay) => {
  expect(lastWithdrawalDay(paidOn)).toBe(lastDay);
});

describe("the refund of a withdrawal", () => {
  const single = { amountCents: 999, creditsCents: 1_000, refundedCents: 0, reclaimedCents: 0 };
  const month = { amountCents: 3_400, creditsCents: 4_000, refundedCents: 0, reclaimedCents: 0 };
  test.each([
    [{ ...single, unusedCents: 1_000 }, 999, "all of it"],
    [{ ...single, unusedCents: 0 }, 0, "nothing is left"],
    [{ ...single, unusedCents: 901 }, 901, "in proportion, rounded up"],
    [{ ...month, unusedCents: 3_000 }, 2_550, "three games of four"],
    [{ ...month, unusedCents: 1 }, 1, "a cent"],
    [
      { ...single, amountCents: 1_200, unusedCents: 500 },
      600,
      "credits cost more than their worth",
    ],
    [
      { ...single, refundedCents: 500, reclaimedCents: 500, unusedCents: 500 },
      499,
      "what is left after a refund",
    ],
    [
      { ...single, refundedCents: 999, reclaimedCents: 500, unusedCents: 500 },
      0,
      "all of the money is back already",
    ],
  ])("%j: %i, %s", (payment, cents) => {
    expect(withdrawalRefundCents(payment)).toBe(cents);
  });

  test("never more credits than are unused, never more money than was paid", () => {
    const cents = (max: number) => fc.integer({ min: 1, max });
    fc.assert(
      fc.property(cents(20_000), cents(20_000), cents(20_000), (amountCents, creditsCents, n) => {
        const unusedCents = Math.min(n, creditsCents);
        const paid = { amountCents, creditsCents, reclaimedCents: 0 };
        const back = withdrawalRefundCents({ ...paid, refundedCents: 0, unusedCents });
        const takenCents = reclaimTarget({ ...paid, returnedCents: back, lapsedCents: 0 });
        expect(takenCents).toBeLessThanOrEqual(unusedCents);
        expect(back).toBeLessThanOrEqual(amountCents);
        // Near to the proportion as whole cents of money and of credits allow.
        const exact = (amountCents * unusedCents) / creditsCents;
        expect(back).toBeGreaterThan(exact - 1);
      }),
    );
  });
});

test.each([
  ["", null, "open"],
  ["status=open", null, "open"],
  ["status=done", null, "done"],
  ["status=all", null, null],
  ["status=x", null, "open"],
  ["kind=message", "message", "open"],
  ["kind=review&status=all", "review", null],
  ["kind=withdrawal", "withdrawal", "open"],
  ["kind=x", null, "open"],
])("%j: kind %s, status %s", (query, kind, status) => {
  expect(parseInboxFilter(new URLSearchParams(query))).toEqual({ kind, status });
});

test("the task names the amount and the deadline, and that a subscription has to end", () => {
  const refund = "Refund 25.50\u00a0€ of this payment at Stripe within 14 days.";
  const refundCents = 2_550;
  expect(refundTask({ refundCents, isMonthly: false })).toBe(refund);
  expect(refundTask({ refundCents, isMonthly: true })).toBe(
    `${refund} It is a month of a subscription: end the subscription as well.`,
  );
});

test.each([
  ["2026-11-22", 14, "due in 14 days"],
  ["2026-12-05", 1, "due in 1 day"],
  ["2026-12-06", 0, "due today"],
  ["2026-12-07", -1, "1 day overdue"],
  ["2027-01-06", -31, "31 days overdue"],
])("a withdrawal of Nov 22 is on %s %i days from due", (today, daysLeft, text) => {
  expect(refundDue("2026-11-22", today)).toEqual({ dueOn: "2026-12-06", daysLeft });
  expect(dueText(daysLeft)).toBe(text);
});
