import { afterEach, expect, test, vi } from "vitest";
import { linksOf, renderPage } from "#test/screen.tsx";
import { log } from "#app/platform/log.server.ts";
import NotFound, { loader } from "./not-found.tsx";

afterEach(() => {
  vi.restoreAllMocks();
});

// spec: 2.30, 8.42
test.each([
  ["/nowhere?token=1", "/nowhere"],
  ["/no/where.data", "/no/where"],
  ["/hold/Zk3mQ9xV2bT7nR4cL8wPya", "/hold/…"],
])("%s is a 404, and its path is logged", (address, path) => {
  const logged = vi.spyOn(log, "warn").mockImplementation(() => {});
  const request = new Request(`http://kickabout.test${address}`);
  const answer = loader({ request } as Parameters<typeof loader>[0]);
  expect(answer.init?.status).toBe(404);
  expect(logged).toHaveBeenCalledWith({ path }, "not found");
});

// spec: 2.29
test("its page leads home", () => {
  expect(linksOf(renderPage(NotFound))).toEqual(["Return to Home → /"]);
});
