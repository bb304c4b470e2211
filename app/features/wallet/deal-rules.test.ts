import fc from "fast-check";
import { expect, test } from "vitest";
import { aPack } from "#test/wallet-fixtures.ts";
import {
  dealOf,
  differenceKey,
  findFitting,
  isFarFrom,
  isWhatWasPaid,
  priceOf,
} from "./deal-rules.ts";

const single = aPack({ id: "single" });
const month = { isMonthly: true, priceCents: 3_400, creditsCents: 4_000 };
const monthly = aPack({ id: "monthly", ...month });
const any = aPack({ id: "any", isAnyAmount: true, priceCents: 50, creditsCents: 50 });
const PACKS = [any, monthly, single];
const paid = (amountCents: number, isMonth = false) => ({ amountCents, isMonth, sold: null });

test.each([
  [paid(999), "single"],
  [paid(3_400), "monthly"],
  [paid(3_400, true), "monthly"],
  // As many credits as were paid; a month of another price is for a person to decide.
  [paid(500), "any"],
  [paid(500, true), undefined],
])("of %j the pack that costs it is preselected: %s", (sale, id) => {
  expect(findFitting(PACKS, sale)?.id).toBe(id);
});

test("of several that cost it, the one that was sold comes first, then its kind, then what is on sale", () => {
  const twin = aPack({ id: "twin", isMonthly: true });
  const former = aPack({ id: "former", isActive: false });
  expect(findFitting([former, twin, single], { ...paid(999), sold: twin })?.id).toBe("twin");
  expect(findFitting([former, twin, single], paid(999))?.id).toBe("single");
  expect(findFitting([single, twin], paid(999, true))?.id).toBe("twin");
});

test("what was sold at a former price is given as it was sold, and only at that price", () => {
  const sold = { ...monthly, priceCents: 3_000, creditsCents: 3_900 };
  const given = { priceCents: 3_000, creditsCents: 3_900 };
  expect(dealOf(monthly, { ...paid(3_000, true), sold })).toEqual(given);
  const now = { priceCents: 3_400, creditsCents: 4_000 };
  expect(dealOf(monthly, { ...paid(3_100, true), sold })).toEqual(now);
  expect(dealOf(monthly, { ...paid(3_000, true), sold: single })).toEqual(now);
});

test("what is preselected costs what was paid, whatever the packs", () => {
  const cents = fc.integer({ min: 1, max: 99_999 });
  const deal = fc.record({ priceCents: cents, creditsCents: cents, isMonthly: fc.boolean() });
  const packs = fc.array(deal, { maxLength: 6 }).map((deals) => [any, ...deals.map(aPack)]);
  const property = fc.property(packs, cents, fc.boolean(), (all, amountCents, isMonth) => {
    const sale = paid(amountCents, isMonth);
    const fixed = all.filter(({ isAnyAmount }) => !isAnyAmount);
    const hasPrice = fixed.some((pack) => isWhatWasPaid(pack, sale));
    const found = findFitting(all, sale);
    expect(found ? dealOf(found, sale).priceCents : null).toBe(
      hasPrice || !isMonth ? amountCents : null,
    );
  });
  fc.assert(property);
});

test("a key of a question is of that pack, price, credits and payment alone", () => {
  const keys = [
    differenceKey(single, single, paid(500)),
    differenceKey(monthly, single, paid(500)),
    differenceKey(single, { ...single, priceCents: 998 }, paid(500)),
    differenceKey(single, { ...single, creditsCents: 998 }, paid(500)),
    differenceKey(single, single, paid(501)),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test.each([
  [3_400, 4_000, 4_533, false],
  [3_400, 4_000, 4_534, true],
  [3_400, 4_000, 2_267, false],
  [3_400, 4_000, 2_266, true],
])("%i for %i credits, and now %i: asked about: %s", (priceCents, creditsCents, now, is) => {
  const before = { priceCents, creditsCents };
  expect(isFarFrom(before, { ...before, priceCents: now })).toBe(is);
  // The same deal twice as large is no other price.
  const twice = { priceCents: now * 2, creditsCents: creditsCents * 2 };
  expect(isFarFrom(before, twice)).toBe(is);
});

test("the price of a credit and of a game is rounded to cents, and none without credits", () => {
  expect(priceOf(100, monthly)).toBe(85);
  expect(priceOf(1_000, monthly)).toBe(850);
  expect(priceOf(100, { priceCents: 1, creditsCents: 0 })).toBeNull();
});
