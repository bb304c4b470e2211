import { describe, expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { cancelInput, gameMessageInput } from "#app/features/organise/input.ts";
import { cashInput, seatPaymentInput } from "./input.ts";
import { isResultField, readResult } from "#app/features/teams/result-input.ts";

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

  test("is pinned where that is ticked", () => {
    const fields = { subject: "x", message: "y", isPinned: "on" };
    expect(checkForm(gameMessageInput, fields)).toMatchObject({ input: { isPinned: true } });
  });

  test("accepts the maximum lengths", () => {
    expect(check("x".repeat(120), "x".repeat(5_000)).ok).toBe(true);
  });
});

describe("the message of a cancellation", () => {
  test.each([
    ["", null],
    [" \n ", null],
    [" Snow.\r\nSorry! ", "Snow.\nSorry!"],
  ])("%j is %j", (typed, message) => {
    expect(checkForm(cancelInput, { message: typed })).toEqual({ ok: true, input: { message } });
  });

  test("has a limit", () => {
    expect(checkForm(cancelInput, { message: "x".repeat(5_001) }).ok).toBe(false);
  });
});

describe("an amount paid by hand", () => {
  test.each([
    ["10", 1_000],
    ["7.50", 750],
    ["7,5", 750],
    [" 0.01 ", 1],
    ["999.99", 99_999],
  ])("%j is %i cents", (amount, amountCents) => {
    const input = { amountCents, method: "MobilePay" };
    expect(checkForm(cashInput, { amount, method: "MobilePay" })).toEqual({ ok: true, input });
  });

  test.each(["", "0", "0.00", "-5", "1000", "1.234", "1.", ".5", "1,000.00", "x1", "1x"])(
    "%j is none",
    (amount) => {
      const error = "Enter an amount above 0 and at most 999.99\u00a0€, such as 10 or 7.50";
      expect(checkForm(cashInput, { amount, method: "Cash" })).toEqual({
        ok: false,
        errors: { amount: error },
      });
    },
  );

  test("was paid in one of the known ways", () => {
    expect(checkForm(cashInput, { amount: "5", method: "Cheque" })).toEqual({
      ok: false,
      errors: { method: "Choose how it was paid" },
    });
  });
});

describe("the seat of an added player", () => {
  test.each([
    [{ payment: "credits" }, { by: "credits" }],
    [{ payment: "nothing" }, { by: "nothing" }],
    [{ payment: "credits", amount: "5", method: "Cash" }, { by: "credits" }],
    [
      { payment: "cash", amount: "5", method: "Cash" },
      { by: "cash", amountCents: 500, method: "Cash" },
    ],
  ])("%j is paid %j", (fields, input) => {
    expect(checkForm(seatPaymentInput, fields)).toEqual({ ok: true, input });
  });

  test.each([
    [{}, { payment: "Choose how it is paid" }],
    [{ payment: "card" }, { payment: "Choose how it is paid" }],
    [
      { payment: "cash", amount: "0", method: "Cash" },
      { amount: "Enter an amount above 0 and at most 999.99\u00a0€, such as 10 or 7.50" },
    ],
  ])("%j is not paid", (fields, errors) => {
    expect(checkForm(seatPaymentInput, fields)).toEqual({ ok: false, errors });
  });
});

describe("a result", () => {
  const NUMBER = "Enter a number from 0 to 99";
  test("is read with its players: no goals where nothing is typed, won where it is ticked", () => {
    const fields = { firstScore: " 3 ", secondScore: "10", "goals-a": "2", "goals-b": " " };
    expect(readResult({ ...fields, "won-a": "", other: "x", "goals-": "7" })).toEqual({
      ok: true,
      input: {
        ...{ firstScore: 3, secondScore: 10 },
        players: [
          { bookingId: "a", goals: 2, hasWon: true },
          { bookingId: "b", goals: 0, hasWon: false },
        ],
      },
    });
  });

  test("takes ids of any length, and no field whose name goes on in another line", () => {
    const fields = { firstScore: "3", secondScore: "1", "goals-b2": "2", "goals-b3\nx": "1" };
    expect(readResult(fields)).toMatchObject({
      input: { players: [{ bookingId: "b2", goals: 2, hasWon: false }] },
    });
  });

  test.each(["", "100", "-1", "1.5", "x1", "1x"])("%j is no score", (firstScore) => {
    const result = readResult({ firstScore, secondScore: "1", "goals-a": "200", "ygoals-b": "z" });
    expect(result).toEqual({ ok: false, errors: { firstScore: NUMBER, "goals-a": NUMBER } });
  });

  test("that is empty lacks both scores", () => {
    const errors = { firstScore: NUMBER, secondScore: NUMBER };
    expect(readResult({})).toEqual({ ok: false, errors });
  });

  test.each([
    ["firstScore", true],
    ["secondScore", true],
    ["goals-a", true],
    ["won-a", true],
    ["goals", false],
    ["my-goals-a", false],
    ["version", false],
  ])("%s is a field of its form: %s", (name, expected) => {
    expect(isResultField(name)).toBe(expected);
  });
});
