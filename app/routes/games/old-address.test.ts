import { expect, test } from "vitest";
import { loader } from "./old-address.ts";

// spec: 2.14
test.each([
  ["1", "/events/1"],
  ["a b", "/events/a%20b"],
  ["/evil.example", "/events/%2Fevil.example"],
])("/games/%s leads to %s for good", (gameId, location) => {
  const request = new Request("http://kickabout.test/games/x");
  const args = { request, params: { gameId } };
  const response = loader(args as Parameters<typeof loader>[0]);
  expect([response.status, response.headers.get("Location")]).toEqual([301, location]);
});
