import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "#app/platform/log.server.ts";
import { withinScope } from "./request-scope.server.ts";

afterEach(() => vi.useRealTimers());

/** A log of its own, and its lines. */
function open() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { ...createLog({ write }), lines };
}

const fail = (message = "connect ECONNREFUSED") =>
  Object.assign(new Error(message), { code: "ECONNREFUSED" });

test("an error that repeats is told once, and then once a minute with a count", () => {
  vi.useFakeTimers();
  const { log, lines } = open();
  for (let n = 0; n < 1_000; n += 1) log.error({ err: fail(`to port ${n}`) }, "request failed");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ msg: "request failed", err: { message: "to port 0" } });
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ msg: "request failed", count: 999 });
  expect(lines[1]!["failure"]).toBe(lines[0]!["failure"]);
  for (let n = 0; n < 5; n += 1) log.error({ err: fail() }, "request failed");
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(60_000);
  expect(lines[2]).toMatchObject({ count: 5 });
});

test("after a quiet minute it is told in full again, at once", () => {
  vi.useFakeTimers();
  const { log, lines } = open();
  const again = () => log.error({ err: fail() }, "request failed");
  again();
  vi.advanceTimersByTime(60_000);
  again();
  expect(lines).toHaveLength(2);
  expect(lines[1]).not.toHaveProperty("count");
});

test("another error, another message and another level are told by themselves", () => {
  const { log, lines } = open();
  for (let n = 0; n < 3; n += 1) {
    log.error({ err: fail() }, "request failed");
    log.error({ err: fail() }, "rendering");
    log.warn({ err: fail() }, "request failed");
    log.error({ err: new TypeError("no") }, "request failed");
    log.error({ code: "550" }, "job given up");
    log.error({ code: "421" }, "job given up");
  }
  expect(lines).toHaveLength(6);
});

test("what is no error is never held back", () => {
  const { log, lines } = open();
  for (let n = 0; n < 3; n += 1) {
    log.info({ route: "/events" }, "request");
    log.warn({ event: "sign-in failed" }, "security");
  }
  expect(lines).toHaveLength(6);
});

test("a stop tells what was still being counted", () => {
  const { log, tellRepeats, lines } = open();
  for (let n = 0; n < 3; n += 1) log.error({ err: fail() }, "request failed");
  tellRepeats();
  expect(lines.map(({ count }) => count)).toEqual([undefined, 2]);
});

test("a request's lines have its id, and its access line leads to an error that was held back", () => {
  const { log, lines } = open();
  const scope = { id: "abc", route: "/events" };
  const other = { id: "def", route: "/wallet" };
  withinScope(scope, () => log.error({ err: fail() }, "request failed"));
  withinScope(other, () => log.error({ err: fail() }, "request failed"));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ requestId: "abc" });
  expect(other).toMatchObject({ failure: lines[0]!["failure"] });
});
