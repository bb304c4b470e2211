import { expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { isSandbox, isSandboxId, sandboxIds } from "#app/platform/sandbox.ts";
import { packInput } from "./input.ts";

const FORM = { name: "Month", price: "34", credits: "40" };
const PACK = { name: "Month", priceCents: 3_400, creditsCents: 4_000, isActive: false };
const check = (wish: object) => checkForm(packInput, { ...FORM, ...wish });

test.each([
  [{}, {}],
  [{ isActive: "on" }, { isActive: true }],
  [{ name: " Four\ngames " }, { name: "Four games" }],
  [{ name: "x".repeat(60) }, { name: "x".repeat(60) }],
  [{ price: " 9,99 " }, { priceCents: 999 }],
  [{ price: "0.01" }, { priceCents: 1 }],
  [{ credits: "9999.99" }, { creditsCents: 999_999 }],
])("%.40j is a pack", (wish, expected) => {
  expect(check(wish)).toEqual({ ok: true, input: { ...PACK, ...expected } });
});

const PRICE = "Price must be above 0 and at most 9,999.99\u00a0€, such as 34 or 9.99";
const CREDITS = "Credits must be above 0 and at most 9,999.99, such as 40 or 12.50";
test.each([
  ["name", " ", "Name is required"],
  ["name", "x".repeat(61), "Name can be at most 60 characters"],
  ["price", "", PRICE],
  ["price", "0", PRICE],
  ["price", "-1", PRICE],
  ["price", "10000", PRICE],
  ["price", "1.234", PRICE],
  ["price", "1.", PRICE],
  ["credits", "x1", CREDITS],
  ["credits", "1x", CREDITS],
])("%s %.10j is an error: %s", (field, value, message) => {
  expect(check({ [field]: value })).toEqual({ ok: false, errors: { [field]: message } });
});

test("the sandbox takes Stripe's place in the demo, unless there is a key", () => {
  expect(isSandbox({ demo: true, stripeSecretKey: undefined })).toBe(true);
  expect(isSandbox({ demo: true, stripeSecretKey: "sk_test" })).toBe(false);
  expect(isSandbox({ demo: false, stripeSecretKey: undefined })).toBe(false);
  const { stripe_payment_link_id: link, stripe_price_id: price } = sandboxIds("monthly_4");
  expect([link, price]).toEqual(["plink_demo_monthly_4", "price_demo_monthly_4"]);
  expect([link, price, "plink_1", "xplink_demo_1"].map(isSandboxId)).toEqual([
    ...[true, true],
    ...[false, false],
  ]);
});
