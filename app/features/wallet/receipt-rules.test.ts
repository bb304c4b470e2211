import { expect, test } from "vitest";
import { readEnv } from "#app/platform/env.server.ts";
import { describeReceipt, type Receipt, vatIn, vatRateAt } from "./receipt-rules.ts";

const SITE = readEnv({ DEMO: "1", DATA_DIR: ".cache/test-app", COMPANY_NAME: "Kickabout Oy" });

const receipt = (facts: Partial<Receipt> = {}): Receipt => ({
  paymentId: "1",
  year: 2026,
  number: 42,
  paidAt: new Date("2026-11-20T22:30:00Z"),
  buyer: "Ada Lovelace",
  pack: "Single game",
  isMonthly: false,
  game: null,
  creditsCents: 1_000,
  amountCents: 999,
  refundedCents: 0,
  refundedAt: null,
  disputes: [],
  ...facts,
});
const describe = (facts: Partial<Receipt> = {}, site: Partial<typeof SITE> = {}) =>
  describeReceipt(receipt(facts), { ...SITE, ...site });
const lines = (rows: { label: string; amount: string }[]) =>
  rows.map(({ label, amount }) => `${label}: ${amount}`);

test.each([
  [999, 135, 119],
  [3_400, 135, 404],
  [50, 135, 6],
  [1, 135, 0],
  [999, 140, 123],
  [57, 140, 7],
  [999, 255, 203],
  [999, 100, 91],
  // 5.5 cents: a half goes up.
  [121, 100, 11],
  [11, 100, 1],
  [5_550, 110, 550],
  [1_221, 1_000, 611],
  [999, 0, 0],
  [0, 135, 0],
  [999_999_999_999, 255, 203_187_250_996],
])("%i cents with %i per mille VAT include %i cents of it", (cents, perMille, vat) => {
  expect(vatIn(cents, perMille)).toBe(vat);
});

test.each([
  ["2012-12-31", 0],
  ["2024-12-31", 100],
  ["2025-01-01", 140],
  ["2025-12-31", 140],
  ["2026-01-01", 135],
  ["2031-05-05", 135],
])("the VAT rate of %s is %i per mille", (date, perMille) => {
  expect(vatRateAt(SITE.vatRates, date)).toBe(perMille);
});

test("net and VAT add up to what was paid, at any amount and rate", () => {
  for (const perMille of [100, 135, 140, 255]) {
    for (let cents = 50; cents < 3_000; cents += 7) {
      const [net, vat] = describe(
        { amountCents: cents },
        { vatRates: [{ from: "2000-01-01", perMille }] },
      ).vat.map(({ amount }) => Math.round(parseFloat(amount) * 100));
      expect(net! + vat!).toBe(cents);
    }
  }
});

test("a receipt says seller, number, day in Helsinki, what was bought, and its VAT", () => {
  const seller = {
    address: "Otakaari 1, 02150 Espoo",
    businessId: "1234567-8",
    vatId: "FI12345678",
  };
  const view = describe({}, { seller });
  expect(view).toMatchObject({
    number: "2026-0042",
    date: "Nov 21, 2026",
    buyer: "Ada Lovelace",
    item: "10 credits, Single game",
    total: "9.99\u00a0€",
    returned: [],
  });
  expect(view.seller).toEqual([
    ...["Kickabout Oy", "Otakaari 1", "02150 Espoo"],
    ...["Business ID 1234567-8", "VAT ID FI12345678"],
  ]);
  expect(lines(view.vat)).toEqual(["Without VAT: 8.80\u00a0€", "VAT 13.5 %: 1.19\u00a0€"]);
});

test("a seller outside the VAT register has no VAT on its receipts", () => {
  const view = describe({}, { vatRates: [{ from: "2020-01-01", perMille: 0 }] });
  expect(view).toMatchObject({ seller: ["Kickabout Oy"], vat: [] });
});

const AT = new Date("2026-11-25T10:00:00Z");
const disputed = (status: string, at: Date | null = AT) => ({
  disputes: [{ amountCents: 999, status, at }],
});

test.each<[string, Partial<Receipt>, string[]]>([
  [
    "a part refunded",
    { refundedCents: 400, refundedAt: AT },
    [
      "Refunded on Nov 25, 2026: −4.00\u00a0€",
      "Paid after that, with 0.71\u00a0€ VAT: 5.99\u00a0€",
    ],
  ],
  [
    "all refunded, before days were kept",
    { refundedCents: 999 },
    ["Refunded: −9.99\u00a0€", "Paid after that: 0.00\u00a0€"],
  ],
  ["an inquiry of a bank", disputed("warning_needs_response"), []],
  [
    "an open dispute",
    disputed("needs_response"),
    ["Disputed at the bank on Nov 25, 2026: −9.99\u00a0€", "Paid after that: 0.00\u00a0€"],
  ],
  [
    "a lost dispute",
    disputed("lost", null),
    ["Returned by the bank: −9.99\u00a0€", "Paid after that: 0.00\u00a0€"],
  ],
  [
    "a won dispute",
    disputed("won"),
    [
      "Dispute closed on Nov 25, 2026: the payment stands: 0.00\u00a0€",
      "Paid after that, with 1.19\u00a0€ VAT: 9.99\u00a0€",
    ],
  ],
  [
    "a refund and a dispute of all, which return no more than was paid",
    { refundedCents: 400, refundedAt: AT, ...disputed("lost") },
    [
      "Refunded on Nov 25, 2026: −4.00\u00a0€",
      "Returned by the bank on Nov 25, 2026: −9.99\u00a0€",
      "Paid after that: 0.00\u00a0€",
    ],
  ],
])("a receipt shows %s", (_, facts, expected) => {
  expect(lines(describe(facts).returned)).toEqual(expected);
});

test.each([
  [["card"], ["card"], false, "by card"],
  [["card", "MobilePay"], ["card"], false, null],
  [["card", "MobilePay"], ["card"], true, "by card"],
])(
  "paid by one of %j, monthly by one of %j (monthly: %s): %s",
  (single, monthly, isMonthly, says) => {
    expect(describe({ isMonthly }, { paymentMethods: { single, monthly } }).method).toBe(says);
  },
);

test("the game that it was to pay for is named by place, day and hour", () => {
  const game = { venue: "Campus Hall", date: "2026-11-23", time: "18:00:00" };
  expect(describe({ game }).game).toBe("For Campus Hall, Mon, Nov 23, 18:00");
  expect(describe().game).toBeNull();
});
