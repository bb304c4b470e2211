import { describe, expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { changePasswordInput, COMMON_PASSWORD, email, newPassword, signInInput } from "./input.ts";

describe("an email", () => {
  // spec: 5.4, 9.11
  test.each([
    [" Ann@Uni.Example ", "ann@uni.example"],
    ["<b>ann</b>@uni.example", "ann@uni.example"],
    [`${"a".repeat(243)}@uni.example`, `${"a".repeat(243)}@uni.example`],
  ])("%j becomes %j", (typed, kept) => {
    expect(email.parse(typed)).toBe(kept);
  });

  // spec: 5.3
  test.each([
    ["", "Email is required"],
    ["   ", "Email is required"],
    [undefined, "Email is required"],
    [new File([], "ann@uni.example"), "Email is required"],
    [`${"a".repeat(244)}@uni.example`, "Email is too long"],
    ["ann", "Please enter a valid email address"],
    ["ann@uni.example\u0000", "Please enter a valid email address"],
    ["ann\r\nbcc:x@uni.example", "Please enter a valid email address"],
    ["ann@uni.example, bob@uni.example", "Please enter a valid email address"],
  ])("%j is rejected: %s", (typed, message) => {
    expect(firstComplaint(email.safeParse(typed))).toBe(message);
  });
});

describe("a new password", () => {
  const mixed =
    "Password must contain at least one uppercase letter, one lowercase letter and one number";
  // spec: 5.6
  test.each([
    ["", "Password must be at least 8 characters"],
    [undefined, "Password must be at least 8 characters"],
    ["Kick1aA", "Password must be at least 8 characters"],
    [`Kickabout1${"x".repeat(119)}`, "Password is too long"],
    ["kickabout1", mixed],
    ["KICKABOUT1", mixed],
    ["Kickabout", mixed],
  ])("%j is rejected: %s", (typed, message) => {
    expect(firstComplaint(newPassword.safeParse(typed))).toBe(message);
  });

  test("space around a new password is left out, before its length is judged", () => {
    expect(newPassword.parse(" Kick about1\r\n")).toBe("Kick about1");
    expect(firstComplaint(newPassword.safeParse(" Kick1aA\u00a0"))).toMatch(/at least 8/);
    const common = { newPassword: "Password1 ", confirmPassword: "Password1" };
    const changed = changePasswordInput.safeParse({ currentPassword: "a", ...common });
    expect(firstComplaint(changed)).toMatch(/too common/);
  });

  // spec: 5.6, 9.11
  test.each(["Kickab01", "Kickabout1", "Kick about1", `Kickabout1${"x".repeat(118)}`])(
    "%j is kept as it is",
    (typed) => {
      expect(newPassword.parse(typed)).toBe(typed);
    },
  );
});

describe("a change of the password", () => {
  const FORM = { currentPassword: "old", newPassword: "Kickab01", confirmPassword: "Kickab01" };
  const change = (wish: object) => checkForm(changePasswordInput, { ...FORM, ...wish });
  const both = (password: string) => ({ newPassword: password, confirmPassword: password });

  test("keeps what was typed", () => {
    expect(change({})).toEqual({ ok: true, input: FORM });
  });

  test.each([
    [{ currentPassword: "" }, { currentPassword: "Current password is required" }],
    [{ confirmPassword: "Kickab02" }, { confirmPassword: "New passwords do not match" }],
    [
      { newPassword: "Ki1", confirmPassword: "x" },
      { confirmPassword: "New passwords do not match" },
    ],
    [both("Kick1"), { newPassword: "Password must be at least 6 characters long" }],
    [both("Kicka1"), { newPassword: "Password must be at least 8 characters" }],
    [both("Password1"), { newPassword: COMMON_PASSWORD }],
  ])("with %j is an error", (wish, errors) => {
    expect(change(wish)).toEqual({ ok: false, errors });
  });
});

test("a form returns all errors at once and drops unknown fields", () => {
  const invalid = checkForm(signInInput, {});
  expect(invalid).toEqual({
    ok: false,
    errors: { email: "Email is required", password: "Password is required" },
  });
  const sent = { email: "ann@uni.example", password: "x", role: "admin" };
  const { role: _, ...input } = sent;
  expect(checkForm(signInInput, sent)).toEqual({ ok: true, input });
});

function firstComplaint(result: { error?: { issues: { message: string }[] } | undefined }) {
  return result.error?.issues[0]?.message;
}
