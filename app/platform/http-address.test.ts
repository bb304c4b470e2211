import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { errorStatusOf } from "./http.server.ts";

const statusOf = (url: string, host = "kick.example") =>
  errorStatusOf({ method: "GET", url, headers: { host } } as IncomingMessage);

test.each([
  ["/", 999, "a"],
  ["/?q=", 7_996, "a"],
  ["/auth?redirectTo=", 1_500, "%252F"],
  ["/a", 15, "/a"],
  ["/assets", 15, "/a"],
  ["/events/1", 14, "/"],
  ["/files", 15, "\\a"],
  ["/__manifest?version=1&paths=%2Fa", 299, "%2C%2Fb"],
  ["/__manifest?paths=a", 299, ",b"],
])(
  "what an address may be and what is too long for the router: %s, %i × %s",
  (start, most, part) => {
    expect(statusOf(start + part.repeat(most))).toBeNull();
    expect(statusOf(start + part.repeat(most + 200))).toBe(414);
  },
);

test("a host longer than names are is none", () => {
  expect(statusOf("/", `${"a".repeat(250)}.example:443`)).toBe(400);
});
