import { expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { profileInput } from "./input.ts";
import { interestsOf, ticksOf } from "./rules.ts";

const form = {
  firstName: "Ann",
  lastName: "O'Neil",
  dateOfBirth: "2000-01-31",
  position: "DEF",
  nationalityCode: "SE",
  isDownToPlay: "1",
  sports: ["Futsal", "Football"],
  otherSport: "",
};
const check = (fields: Record<string, unknown>) =>
  checkForm(profileInput({ today: "2026-11-21" }), { ...form, ...fields });

// spec: 3.32
test("valid input is accepted; the country's name is the list's", () => {
  const { nationalityCode: _, sports: __, otherSport: ___, ...same } = form;
  expect(check({ nationality: "Sealand", isAdmin: "1" })).toEqual({
    ok: true,
    input: {
      ...same,
      isDownToPlay: true,
      nationality: expect.objectContaining({ code: "SE", name: "Sweden" }),
      sportsInterests: ["Football", "Futsal"],
    },
  });
});

test("all but names and birthday may be empty", () => {
  const empty = { position: "", nationalityCode: "", isDownToPlay: "", sports: [] };
  expect(check(empty)).toMatchObject({
    ok: true,
    input: { position: null, nationality: null, isDownToPlay: false, sportsInterests: [] },
  });
});

// spec: 3.30, 5.20, 5.21, 5.22
test.each([
  ["firstName", " ", "First name is required"],
  ["firstName", "x".repeat(51), "First name is too long"],
  ["firstName", "Organiser", "First name is a word of this site"],
  ["lastName", "\u3164", "Last name is required"],
  ["lastName", "<b>", "Last name can only contain letters, spaces, hyphens, and apostrophes"],
  ["dateOfBirth", "", "Date of birth is required"],
  ["otherSport", "Pad\u0000el", "Other sport cannot contain control characters, < or >"],
  ["dateOfBirth", "2025-02-29", "Please enter a valid date of birth, such as 31.1.2000"],
  ["dateOfBirth", "2015-01-01", "You must be between 13 and 120 years old"],
  ["dateOfBirth", "2010-11-22", "You must be at least 16 years old to create an account."],
  ["position", "COACH", "Please select a position from the list"],
  ["position", "toString", "Please select a position from the list"],
  ["nationalityCode", "XX", "Please select a nationality from the list"],
  ["nationalityCode", "FI' or 1=1", "Please select a nationality from the list"],
  ["otherSport", "x".repeat(51), "Other sport is too long"],
  ["otherSport", "<script>", "Other sport cannot contain control characters, < or >"],
])("%s %j: %s", (field, value, message) => {
  expect(check({ [field]: value })).toEqual({ ok: false, errors: { [field]: message } });
});

test("sports that are not listed count for nothing", () => {
  for (const sports of [["Chess", "<b>"], "Football", null, [5], { 0: "Football" }]) {
    expect(check({ sports })).toMatchObject({ ok: true, input: { sportsInterests: [] } });
  }
});

test.each([
  [["Tennis", "Other"], "Padel", ["Tennis", "Padel"]],
  [["Tennis", "Other"], "", ["Tennis", "Other"]],
  [["Tennis", "Other"], "tennis", ["Tennis"]],
  [["Other"], "FUTSAL", ["Futsal"]],
  [["Tennis"], "Padel", ["Tennis"]],
  [["Tennis", "Tennis", "Football"], "", ["Football", "Tennis"]],
])("ticked %j with the words %j: %j", (ticked, otherSport, interests) => {
  expect(interestsOf(ticked, otherSport)).toEqual(interests);
});

test("interests lead back to what was ticked", () => {
  for (const [ticked, otherSport] of [
    [["Football", "Other"], "Padel"],
    [["Football", "Other"], ""],
    [["Tennis"], ""],
    [[], ""],
  ] as const) {
    expect(ticksOf(interestsOf([...ticked], otherSport))).toEqual({ ticked, otherSport });
  }
});
