import { describe, expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { legalInput } from "./input.ts";
import { missingFromLegalText } from "./rules.ts";

const check = (title: unknown, content: unknown) => checkForm(legalInput, { title, content });

test("a title is on one line, a text on several, and neither holds a NUL", () => {
  expect(check(" Terms \t of\r\nuse\0 ", " One\r\ntwo\rthree\0 ")).toEqual({
    ok: true,
    input: { title: "Terms of use", content: "One\ntwo\nthree" },
  });
});

test.each([
  [" ", "x", { title: "Title is required" }],
  [undefined, "x", { title: "Title is required" }],
  ["x".repeat(121), "x", { title: "Title can be at most 120 characters" }],
  ["x", " ", { content: "Content is required" }],
  ["x", 5, { content: "Content is required" }],
  ["x", "x".repeat(50_001), { content: "Content can be at most 50,000 characters" }],
])("%.5s and %.5s", (title, content, errors) => {
  expect(check(title, content)).toEqual({ ok: false, errors });
});

test("both accept their maximum lengths", () => {
  expect(check("x".repeat(120), "x".repeat(50_000)).ok).toBe(true);
});

describe("terms that say the rule of cancellations", () => {
  const rule = { until: 24, feeCents: 99 };
  test.each([
    ["24 hours before, less €0.99", []],
    ["24h before, less 0,99", []],
    ["24-hour rule; 0.99", []],
    ["1 HOUR or 24 Hours; 1.00 or 0.99", []],
    ["within 24 days; 0.99", ["24 hours"]],
    ["124 hours; 0.99", ["24 hours"]],
    ["1.24 hours; 0.99", ["24 hours"]],
    ["1,24 hours; 0.99", ["24 hours"]],
    ["24 hourly; 0.99", ["24 hours"]],
    ["24 hours; 0.999", ["0.99\u00a0€"]],
    ["24 hours; 10.99", ["0.99\u00a0€"]],
    ["24 hours; 5.0.99", ["0.99\u00a0€"]],
    ["24 hours; 0-99", ["0.99\u00a0€"]],
    ["24 hours", ["0.99\u00a0€"]],
    ["", ["24 hours", "0.99\u00a0€"]],
  ])("%j lacks %j", (text, missing) => {
    expect(missingFromLegalText(text, rule)).toEqual(missing);
  });

  test("of another rule", () => {
    const other = { until: 1_000, feeCents: 123_450 };
    expect(missingFromLegalText("1000 hours, 1234.50", other)).toEqual([]);
  });

  test("a step without a fee is said by its hours alone", () => {
    expect(missingFromLegalText("48 hours", { until: 48, feeCents: 0 })).toEqual([]);
    expect(missingFromLegalText("", { until: 48, feeCents: 0 })).toEqual(["48 hours"]);
  });
});
