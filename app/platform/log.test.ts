import { expect, test } from "vitest";
import { describeError } from "./log.server.ts";

test("a logged error names its kind and place, and nobody", () => {
  const failed = new Error('550 5.1.1 <aino@uni.example>: "aino@uni.example" unknown');
  const error = Object.assign(new Error("duplicate key", { cause: failed }), {
    code: "23505",
    constraint: "users_email_key",
    detail: "Key (email)=(aino@uni.example) already exists.",
  });
  const line = JSON.stringify(describeError(error));
  expect(line).toContain("users_email_key");
  expect(line).toContain("log.test.ts");
  expect(line).not.toContain("aino");
});

test("what is thrown and is no error is described as well", () => {
  expect(describeError("mail to aino@uni.example failed")).toEqual({
    message: "mail to [address] failed",
  });
  expect(describeError({ message: "connection lost", type: "error" })).toEqual({
    message: "connection lost",
  });
  expect(describeError({ status: 405, statusText: "Method Not Allowed" })).toEqual({
    message: "405 Method Not Allowed",
  });
});
