import { expect, test } from "vitest";
import { parseInboxFilter } from "./rules.ts";

test.each([
  ["", null, "open"],
  ["status=open", null, "open"],
  ["status=done", null, "done"],
  ["status=all", null, null],
  ["status=x", null, "open"],
  ["kind=message", "message", "open"],
  ["kind=review&status=all", "review", null],
  ["kind=withdrawal", "withdrawal", "open"],
  ["kind=x", null, "open"],
])("%j: kind %s, status %s", (query, kind, status) => {
  expect(parseInboxFilter(new URLSearchParams(query))).toEqual({ kind, status });
});
