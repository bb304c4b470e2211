import { expect, test } from "vitest";
import {
  cashBackText,
  cashSumsText,
  cashText,
  cashToGiveText,
  sumCashByMethod,
} from "./cash-texts.ts";

test.each([
  ["10.00\u00a0€ (cash)", { amountCents: 1_000, method: "Cash" }],
  ["7.50\u00a0€ (MobilePay)", { amountCents: 750, method: "MobilePay" }],
  ["0.01\u00a0€ (other)", { amountCents: 1, method: "Other" }],
  ["an amount not noted", { amountCents: 0, method: "Cash" }],
] as const)("organisers read of what was paid by hand: %s", (words, cash) => {
  expect(cashText(cash)).toBe(words);
});

test("payments by hand are added up by method, without methods that nobody used", () => {
  const payments = [
    { amountCents: 800, method: "MobilePay" },
    { amountCents: 1_000, method: "Cash" },
    { amountCents: 1_000, method: "Cash" },
  ] as const;
  expect(cashSumsText(sumCashByMethod(payments))).toBe("Cash 20.00\u00a0€, MobilePay 8.00\u00a0€");
  expect(cashSumsText(sumCashByMethod([]))).toBe("");
});

test("a game that is called off says how much the organiser has to give back", () => {
  expect(cashToGiveText(2_050)).toBe(
    "20.50\u00a0€ that players paid by hand is yours to give back.",
  );
});

test.each([
  ["You paid 10.00\u00a0€ in cash: the organiser gives it back.", "Cash", true],
  ["You paid 10.00\u00a0€ by MobilePay: the organiser gives it back.", "MobilePay", true],
  [
    "You paid 10.00\u00a0€ to the organiser: whether it comes back is between you and the organiser.",
    "Other",
    false,
  ],
] as const)("a player reads: %s", (words, method, isPromised) => {
  expect(cashBackText({ amountCents: 1_000, method }, isPromised)).toBe(words);
});
