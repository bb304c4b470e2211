import { expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { profileInput, signUpInput } from "./input.ts";

const form = {
  email: "ann@uni.example",
  password: "Kickabout1",
  firstName: "Ann",
  lastName: "O'Neil",
  dateOfBirth: "2000-01-31",
  schoolYear: "Bachelor",
  major: "Physics",
  phone: "+358 40 1234567",
};
const check = (fields: Record<string, unknown>) =>
  checkForm(signUpInput({ schoolDomains: ["uni.example"], today: "2026-11-21" }), fields);
const long = (length: number) => "x".repeat(length);

// spec: 3.8, 3.9, 5.8
test("valid input is trimmed and accepted; unknown options are not", () => {
  expect(check({ ...form, email: " ANN@uni.example", firstName: " Ann ", role: "admin" })).toEqual({
    ok: true,
    input: form,
  });
  const names = { firstName: long(50), lastName: long(50) };
  expect(check({ ...form, ...names })).toMatchObject({ ok: true, input: names });
  expect(check({ ...form, phone: "" })).toMatchObject({ ok: true, input: { phone: null } });
});

const MIXED = (label: string) =>
  `${label} mixes letters of several alphabets. Please use one of them`;
const IN_TWO = "First and last name are in different alphabets. Please use one for both";

test.each([
  [{ firstName: "Οrganiser" }, { firstName: MIXED("First name") }],
  [{ lastName: "Virtаnen" }, { lastName: MIXED("Last name") }],
  [{ firstName: "Рере", lastName: "Harju" }, { lastName: IN_TWO }],
  [{ firstName: "Deleted", lastName: "Player" }, { lastName: "This name is a word of this site" }],
])("%j looks like another name", (names, errors) => {
  expect(check({ ...form, ...names })).toEqual({ ok: false, errors });
  const profile = { ...form, ...names, position: "", nationalityCode: "" };
  expect(checkForm(profileInput({ today: "2026-11-21" }), profile)).toEqual({ ok: false, errors });
});

test.each([
  ["Ольга", "Иванова"],
  ["Νίκος", "Παπαδόπουλος"],
  ["Wei", "王"],
  ["علی", "رضایی"],
])("%s %s is a name", (firstName, lastName) => {
  expect(check({ ...form, firstName, lastName })).toMatchObject({ input: { firstName, lastName } });
});

const SCHOOL = "Please use your school email address.";
const lettersOnly = (label: string) =>
  `${label} can only contain letters, spaces, hyphens, and apostrophes`;
const plain = (label: string) => `${label} cannot contain control characters, < or >`;
const DATE = "Please enter a valid date of birth, such as 31.1.2000";
const YEAR = "Please select your year of study";

// spec: 1.2, 5.5, 5.7, 5.8, 5.9, 9.11
test.each([
  ["email", "", "Email is required"],
  ["email", "ann@elsewhere.example", SCHOOL],
  ["email", `${long(250)}@uni.example`, "Email is too long"],
  ["email", "ann@<b>", "Please enter a valid email address"],
  ["email", "a\u0000nn@uni.example", "Please enter a valid email address"],
  ["password", "", "Password must be at least 8 characters"],
  ["password", `aA1${long(126)}`, "Password is too long"],
  ["firstName", " ", "First name is required"],
  ["firstName", long(51), "First name is too long"],
  ["firstName", "<b>Ann</b>", lettersOnly("First name")],
  ["firstName", "Ann\u0000", lettersOnly("First name")],
  ["firstName", `A${"\u0301".repeat(48)}`, lettersOnly("First name")],
  ["lastName", "", "Last name is required"],
  ["lastName", long(51), "Last name is too long"],
  ["lastName", "<i>", lettersOnly("Last name")],
  ["lastName", "Bell\u0007", lettersOnly("Last name")],
  ["dateOfBirth", "", "Date of birth is required"],
  ["dateOfBirth", "2001-02-29", DATE],
  ["dateOfBirth", "0026-01-31", DATE],
  ["dateOfBirth", "1905-01-31", "You must be between 13 and 120 years old"],
  ["dateOfBirth", "2000-01-31\u0000", DATE],
  ["dateOfBirth", "<b>2000-01-31</b>", DATE],
  ["dateOfBirth", long(5_000), DATE],
  ["dateOfBirth", "2015-01-01", "You must be between 13 and 120 years old"],
  ["dateOfBirth", "2010-11-22", "You must be at least 16 years old to create an account."],
  ["schoolYear", "", YEAR],
  ["schoolYear", "Kindergarten", YEAR],
  ["schoolYear", "Bachelor\u0000", YEAR],
  ["schoolYear", long(5_000), YEAR],
  ["major", " ", "Major is required"],
  ["major", long(101), "Major is too long"],
  ["major", "<script>", plain("Major")],
  ["major", "Phy\u0000sics", plain("Major")],
  ["phone", "1".repeat(31), "Phone number is too long"],
  ["phone", "call me", "Phone number can only contain digits and + - ( )"],
  ["phone", "<b>1</b>", plain("Phone number")],
  ["phone", "1\u00002", plain("Phone number")],
])("%s %j: %s", (field, value, message) => {
  expect(check({ ...form, [field]: value })).toEqual({ ok: false, errors: { [field]: message } });
});

test.each(Object.keys(form))("%s of the wrong type counts as missing", (field) => {
  const missing = check({ ...form, [field]: undefined });
  for (const value of [new File(["x"], "x.txt"), 5, null, ["a", "b"], { a: 1 }]) {
    expect(check({ ...form, [field]: value })).toEqual(missing);
  }
  expect(missing.ok).toBe(field === "phone");
});

// spec: 5.11
test("all errors at once", () => {
  const invalid = check({});
  expect(invalid.ok ? [] : Object.keys(invalid.errors).sort()).toEqual(
    Object.keys(form)
      .filter((field) => field !== "phone")
      .sort(),
  );
});
