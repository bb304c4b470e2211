import { expect, test } from "vitest";
import { redirectOnwards, safeRedirectTo } from "./safe-redirect.ts";

test.each([
  "/",
  "/events",
  "/events/5?x=1&y=%2F#top",
  "/profile/player-card",
  "/authors",
  "/%2F%2Fevil.example",
])("%s is a path of ours", (path) => {
  expect(safeRedirectTo(path)).toBe(path);
});

test.each([
  "",
  "events",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/.//evil.example",
  "/x/..//evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  "https://evil.example/events",
  "http:evil.example",
  "javascript:alert(1)",
  "/events\u0000",
  "/events\r\nSet-Cookie: a=b",
  "/sign-out",
  "/sign-out/",
  "/Sign-Out?x=1",
  "/events/../sign-out",
  "/auth",
  "/auth/confirm?token=x",
  `/${"x".repeat(1_000)}`,
  "/a".repeat(17),
  `/?${"x".repeat(2_000)}`,
  null,
  undefined,
  5,
  ["/events"],
])("%j leads nowhere", (value) => {
  expect(safeRedirectTo(value)).toBeNull();
});

test.each([
  ["/events", null],
  ["/events/5?file=x.csv", null],
  ["/wallet/statement.csv", "true"],
  ["/events/5.ics?x=1", "true"],
])("to %s the browser goes itself: %s", (path, value) => {
  const { headers, status } = redirectOnwards(path, new Headers({ "X-Kept": "1" }));
  expect([status, headers.get("Location"), headers.get("X-Kept")]).toEqual([302, path, "1"]);
  expect(headers.get("X-Remix-Reload-Document")).toBe(value);
});
