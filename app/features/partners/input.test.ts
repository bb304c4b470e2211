import { expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { partners } from "./partners.server.ts";

const FORM = { name: "Acme", websiteUrl: "https://acme.example/", sortOrder: "3" };
const PARTNER = { ...FORM, sortOrder: 3 };
const check = (wish: object) => checkForm(partners.input, { ...FORM, ...wish });

test.each([
  [{}, {}],
  [{ name: " Acme\nInc. " }, { name: "Acme Inc." }],
  [{ name: "x".repeat(80) }, { name: "x".repeat(80) }],
  [{ websiteUrl: "" }, { websiteUrl: null }],
  [{ websiteUrl: undefined }, { websiteUrl: null }],
  [{ websiteUrl: "http://acme.example" }, { websiteUrl: "http://acme.example" }],
  [{ websiteUrl: "acme.example/a b" }, { websiteUrl: "https://acme.example/a b" }],
  [{ sortOrder: "" }, { sortOrder: 0 }],
  [{ sortOrder: "x" }, { sortOrder: 0 }],
  [{ sortOrder: "010" }, { sortOrder: 10 }],
  [{ sortOrder: "-1000000" }, { sortOrder: -1_000_000 }],
  [{ sortOrder: "1000000" }, { sortOrder: 1_000_000 }],
])("%.40j is a partner", (wish, expected) => {
  expect(check(wish)).toEqual({ ok: true, input: { ...PARTNER, ...expected } });
});

const ADDRESS = "Please enter a web address, such as https://partner.example";
test.each([
  ["name", "", "Name is required"],
  ["name", 5, "Name is required"],
  ["name", "x".repeat(81), "Name can be at most 80 characters"],
  ["websiteUrl", "acme", ADDRESS],
  ["websiteUrl", "a b.example", ADDRESS],
  ["websiteUrl", "javascript:alert(1)", ADDRESS],
  ["websiteUrl", "ftp://acme.example", ADDRESS],
  ["websiteUrl", `https://${"x".repeat(493)}`, "Website is too long"],
  ["sortOrder", "-1000001", "Sort order is too small"],
  ["sortOrder", "1000001", "Sort order is too large"],
])("%s %.20j is rejected: %s", (field, value, message) => {
  expect(check({ [field]: value })).toEqual({ ok: false, errors: { [field]: message } });
});

test("a website may have 500 characters", () => {
  expect(check({ websiteUrl: `https://acme.example/${"x".repeat(479)}` }).ok).toBe(true);
});
