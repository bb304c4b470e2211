import fc from "fast-check";
import { expect, test } from "vitest";
import {
  centsFromNumeric,
  creditsCount,
  creditsInEuros,
  creditsText,
  euros,
  numericFromCents,
  wholeCredits,
  wholeCreditsCount,
} from "./money.ts";

// numeric(12,2): ten digits before the point.
const cents = fc.integer({ min: -999_999_999_999, max: 999_999_999_999 });

test("cents survive the way into the database and back", () => {
  fc.assert(fc.property(cents, (n) => centsFromNumeric(numericFromCents(n)) === n));
});

test("the database's text survives the way into cents and back", () => {
  const digits = fc.integer({ min: 0, max: 9_999_999_999 });
  const places = fc.integer({ min: 0, max: 99 });
  fc.assert(
    fc.property(fc.boolean(), digits, places, (isNegative, whole, part) => {
      const amount = `${whole}.${String(part).padStart(2, "0")}`;
      const text = isNegative && Number(amount) !== 0 ? `-${amount}` : amount;
      expect(numericFromCents(centsFromNumeric(text))).toBe(text);
    }),
  );
});

test.each([
  ["10", 1_000],
  ["9.5", 950],
  ["0.00", 0],
  ["-0.00", 0],
  ["-0.99", -99],
  ["9999999999.99", 999_999_999_999],
])("%s is %i cents", (text, expected) => {
  expect(centsFromNumeric(text)).toBe(expected);
});

test.each(["", " ", "1.", ".5", "1.234", "1e3", "+1", "1,50", "10 ", "NaN", "١", "12345678901"])(
  "%j is no amount",
  (text) => {
    expect(() => centsFromNumeric(text)).toThrow("not an amount");
  },
);

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("%d cents are rejected", (n) => {
  expect(() => numericFromCents(n)).toThrow("not a whole number of cents");
});

// spec: 9.3
test.each([
  [0, "0", "0"],
  [99, "0", "0.99"],
  [901, "9", "9.01"],
  [1_000, "10", "10"],
  [1_050, "10", "10.50"],
])("%i cents: %s whole credits, %s in full", (amount, whole, full) => {
  expect(wholeCredits(amount)).toBe(whole);
  expect(creditsText(amount)).toBe(full);
});

test.each([
  [0, "0 credits", "0 credits", "0.00\u00a0€"],
  [99, "0.99 credits", "0 credits", "0.99\u00a0€"],
  [100, "1 credit", "1 credit", "1.00\u00a0€"],
  [101, "1.01 credits", "1 credit", "1.01\u00a0€"],
  [901, "9.01 credits", "9 credits", "9.01\u00a0€"],
  [1_000, "10 credits", "10 credits", "10.00\u00a0€"],
  [3_400, "34 credits", "34 credits", "34.00\u00a0€"],
  [123_456_789, "1234567.89 credits", "1234567 credits", "1,234,567.89\u00a0€"],
])(
  "%i cents with their word: %s, as a balance %s, in money %s",
  (cents, credits, balance, money) => {
    expect(creditsCount(cents)).toBe(credits);
    expect(wholeCreditsCount(cents)).toBe(balance);
    expect(euros(cents)).toBe(money);
    expect(creditsInEuros(cents)).toBe(`${credits} (${money})`);
  },
);
