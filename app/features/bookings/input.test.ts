import { describe, expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { gameMessageInput } from "./input.ts";

describe("a message to all players", () => {
  const check = (subject: unknown, message: unknown) =>
    checkForm(gameMessageInput, { subject, message });

  test("has a one-line subject and a multi-line text", () => {
    expect(check(" New\nshoes ", " One\r\ntwo ")).toEqual({
      ok: true,
      input: { subject: "New shoes", message: "One\ntwo", isPinned: false },
    });
  });

  test.each([
    ["", "x", { subject: "Subject is required" }],
    ["x", " ", { message: "Message is required" }],
    ["x".repeat(121), "x", { subject: "Subject is too long (max 120 characters)" }],
    ["x", "x".repeat(5_001), { message: "Message is too long (max 5000 characters)" }],
  ])("%.5s and %.5s are rejected", (subject, message, errors) => {
    expect(check(subject, message)).toEqual({ ok: false, errors });
  });

  test("accepts the maximum lengths", () => {
    expect(check("x".repeat(120), "x".repeat(5_000)).ok).toBe(true);
  });
});
