import { afterEach, expect, test, vi } from "vitest";
import { startScheduler } from "#app/platform/scheduler.server.ts";
import { log } from "#app/platform/log.server.ts";
import { useDatabase } from "#test/db.ts";
import { watchClock } from "./clock-offset.server.ts";
import { gauges } from "./metrics.server.ts";

const database = useDatabase();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const offset = async () => (await gauges.clockOffset.get()).values[0]!.value;
const DAY_MS = 86_400_000;

test("a clock that is a day ahead of PostgreSQL's is logged once, and lets no scheduled job begin", async () => {
  const [failed, recovered] = [vi.spyOn(log, "error"), vi.spyOn(log, "info")];
  for (const spy of [failed, recovered]) spy.mockImplementation(() => {});
  const right = new Date();
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: +right + DAY_MS });
  const clock = await watchClock(database.db);
  expect(await offset()).toBeCloseTo(DAY_MS / 1_000, -2);
  let runs = 0;
  const run = async () => void (runs += 1);
  const stop = startScheduler([{ name: "decisions", everyMs: 1_000, run }], clock.isRight);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([runs, failed.mock.calls.length]).toEqual([0, 1]);
  // The next check is in half a minute, at the right time.
  vi.setSystemTime(+right - 30_000);
  await vi.advanceTimersByTimeAsync(30_000);
  await vi.waitFor(() => expect(recovered).toHaveBeenCalledOnce());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBeGreaterThan(0);
  clock.stop();
  await stop();
});

test("without the database the last result stands", async () => {
  const failed = vi.spyOn(log, "error").mockImplementation(() => {});
  vi.spyOn(database.db, "getExecutor").mockImplementation(() => {
    throw Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
  });
  const clock = await watchClock(database.db);
  expect(clock.isRight()).toBe(true);
  expect(failed).not.toHaveBeenCalled();
  clock.stop();
});
