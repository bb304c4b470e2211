import { expect, test } from "vitest";
import { checkForm } from "#test/check-form.ts";
import { messageInput, reviewInput } from "./input.ts";

const message = (fields: Record<string, string>) =>
  checkForm(messageInput, { subject: "Lost shoes", message: "Blue ones", ...fields });
const review = (fields: Record<string, string>) => checkForm(reviewInput, fields);

test.each([
  [{ subject: " \n " }, { subject: "Subject is required" }],
  [{ subject: "x".repeat(121) }, { subject: "Subject is too long (max 120 characters)" }],
  [{ message: "\0" }, { message: "Message is required" }],
  [{ message: "x".repeat(5_001) }, { message: "Message is too long (max 5000 characters)" }],
])("a message %#: rejected", (fields, errors) => {
  expect(message(fields as Record<string, string>)).toEqual({ ok: false, errors });
});

test("the maximum length is accepted", () => {
  expect(message({ subject: "ä".repeat(120), message: "⚽".repeat(5_000) }).ok).toBe(true);
});

test("a subject is one line, a message keeps its lines and nothing else of control", () => {
  const fields = { subject: "Hi\r\nBcc: all@uni.example", message: "a\r\nb\rc\0d\u0007\te" };
  expect(message(fields)).toEqual({
    ok: true,
    input: { subject: "Hi Bcc: all@uni.example", message: "a\nb\nc d \te" },
  });
});

// spec: 5.17
test.each(["", "0", "6", "1.5", "-1", "five", "11", " 3", "1e0"])(
  "rating %j: rejected",
  (rating) => {
    const errors = { rating: "Please select a rating" };
    expect(review({ rating })).toEqual({ ok: false, errors });
  },
);

// spec: 5.17
test.each([1, 2, 3, 4, 5])("rating %i is taken", (rating) => {
  expect(review({ rating: String(rating) })).toMatchObject({ ok: true, input: { rating } });
});

// spec: 5.18
test("a comment is optional and limited in length", () => {
  expect(review({ rating: "5" })).toEqual({ ok: true, input: { rating: 5, comment: null } });
  expect(review({ rating: "5", comment: "  " })).toMatchObject({ input: { comment: null } });
  expect(review({ rating: "5", comment: "x".repeat(2_001) })).toEqual({
    ok: false,
    errors: { comment: "Comment is too long (max 2000 characters)" },
  });
});
