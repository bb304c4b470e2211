import { expect, test } from "vitest";
import { openToken, sealToken } from "./job-tokens.server.ts";

const SECRET = "a secret of at least 32 characters";
const job = { userId: "1", token: "Zm9vYmFyYmF6_-Zm9v" };

test("a job's token cannot be read while it is stored, and opens with the same secret only", () => {
  const stored = sealToken(SECRET, job);
  expect(JSON.stringify(stored)).not.toContain(job.token);
  expect(openToken(SECRET, stored)).toEqual(job);
  expect(openToken("another secret of 32 characters!!", stored)).toBeNull();
  expect(openToken(SECRET, { ...job, token: "sealed:x" })).toBeNull();
});

test("jobs of earlier versions and without a token stay unchanged", () => {
  expect(sealToken(SECRET, { bookingId: "1" })).toEqual({ bookingId: "1" });
  expect(openToken(SECRET, { bookingId: "1" })).toEqual({ bookingId: "1" });
  expect(openToken(SECRET, job)).toEqual(job);
});
