import { expect, test } from "vitest";
import { aPack } from "#test/wallet-fixtures.ts";
import { debtText, needText, packViews } from "./plans.server.ts";

const pack = (priceCents: number, credits: number, isMonthly = true) =>
  aPack({ priceCents, creditsCents: credits * 100, isMonthly });

// spec: 2.86, 2.89, 2.90, 9.34, 9.35
test("the packs of the specification, to the letter", () => {
  const packs = [pack(999, 10, false), pack(3_400, 40), pack(6_400, 80), pack(9_000, 120)];
  const words = packViews(packs);
  expect(words.map(({ perGame }) => perGame)).toEqual([
    "9,99 € per game",
    "8.50€ per game",
    "8.00€ per game",
    "7.50€ per game",
  ]);
  expect(words.map(({ isPopular }) => isPopular)).toEqual([false, false, true, false]);
  expect(words[0]).toMatchObject({
    credits: "10 credits",
    total: "9.99 €, incl. VAT",
    renewal: "You pay once. Nothing renews, and these credits never expire.",
  });
  expect(words[1]).toMatchObject({
    credits: "40 credits a month",
    total: "34.00 €, incl. VAT",
    renewal: "Renews every month at 34.00 €, incl. VAT, until you cancel.",
  });
});

// spec: 2.90
test.each([
  [2_000, 30, "6.67€ per game"],
  [1_000, 30, "3.33€ per game"],
  [5, 100, "0.01€ per game"],
  [4_200, 45.5, "9.23€ per game"],
  [123_456_789, 10, "1234567.89€ per game"],
])("%i cents for %d credits are %s", (priceCents, credits, perGame) => {
  expect(packViews([pack(priceCents, credits)])[0]?.perGame).toBe(perGame);
});

// spec: 2.88
test("of fewer than three monthly packs none stands out", () => {
  const words = packViews([pack(999, 10, false), pack(3_400, 40), pack(6_400, 80)]);
  expect(words.some(({ isPopular }) => isPopular)).toBe(false);
});

test.each([
  [1_000, 400, "You need 10 credits and have 4. You need 6 more."],
  [1_000, 0, "You need 10 credits and have 0. You need 10 more."],
  [1_000, 900, "You need 10 credits and have 9. You need 1 more."],
  [1_000, 901, "You need 10 credits and have 9.01. You need 0.99 more."],
  [1_000, 1_000, null],
  [0, 0, null],
])("for %i cents with %i: %s", (price, balance, words) => {
  expect(needText(price, balance)).toBe(words);
});

test.each([
  [0, null],
  [1_000, "You owe 10 credits from a refunded payment. Your next purchase pays that first."],
  [100, "You owe 1 credit from a refunded payment. Your next purchase pays that first."],
])("a debt of %i cents", (debt, words) => {
  expect(debtText(debt)).toBe(words);
});
