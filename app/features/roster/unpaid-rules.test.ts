import { expect, test } from "vitest";
import { isSeatPaymentOpen } from "./unpaid-rules.ts";

const SEAT = { paymentStatus: "Unpaid", attendance: null, isCollected: true } as const;

test.each([
  ["not marked yet", true, {}],
  ["of somebody who came", true, { attendance: "CheckedIn" }],
  ["of somebody who did not come", false, { attendance: "NoShow" }],
  ["that is paid", false, { paymentStatus: "Paid" }],
  ["that was given back", false, { paymentStatus: "Cancelled" }],
  ["for which nothing is asked any more", false, { isCollected: false }],
  ["that is paid, of somebody who came", false, { paymentStatus: "Paid", attendance: "CheckedIn" }],
] as const)("a seat %s is owed: %s", (_, expected, facts) => {
  expect(isSeatPaymentOpen({ ...SEAT, ...facts })).toBe(expected);
});
