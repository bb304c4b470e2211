import { expect, test } from "vitest";
import { linksOf, renderPage } from "#test/screen.tsx";
import {
  type RequestScope,
  withinScope,
} from "#app/platform/observability/request-scope.server.ts";
import NotFound, { loader } from "./not-found.tsx";

// spec: 2.30, 8.42
test.each([
  ["/nowhere?token=1", "/nowhere"],
  ["/no/where.data", "/no/where"],
  ["/hold/Zk3mQ9xV2bT7nR4cL8wPya", "/hold/…"],
])("%s is a 404, and its path is logged", (address, path) => {
  const request = new Request(`http://kickabout.test${address}`);
  const scope: RequestScope = { id: "a", route: "/*" };
  const answer = withinScope(scope, () => loader({ request } as Parameters<typeof loader>[0]));
  expect(answer.init?.status).toBe(404);
  // The line of the request has it: observe-request.test.ts.
  expect(scope.path).toBe(path);
});

// spec: 2.29
test("its page leads home", () => {
  expect(linksOf(renderPage(NotFound))).toEqual(["Return to Home → /"]);
});
