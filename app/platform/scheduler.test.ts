import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startScheduler, runForEach } from "./scheduler.server.ts";
import { log } from "./log.server.ts";
import { scheduledJobGauges } from "./observability/metrics.server.ts";

const DAY_MS = 86_400_000;
const NOW = new Date("2030-01-07T10:00:00Z");
const logged = vi.spyOn(log, "error").mockImplementation(() => {});
beforeEach(() => {
  logged.mockClear();
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => vi.useRealTimers());

async function succeededAt(job: string) {
  const { values } = await scheduledJobGauges.succeededAt.get();
  return values.find(({ labels }) => labels.duty === job)?.value;
}

test("a scheduled job's metric is when it succeeded last, and 0 until then", async () => {
  let isBroken = true;
  const run = async () => {
    if (isBroken) throw new Error("the bucket is away");
  };
  startScheduler([{ name: "uploads", everyMs: DAY_MS, run }]);
  await vi.advanceTimersByTimeAsync(0);
  expect(await succeededAt("uploads")).toBe(0);
  expect(logged.mock.calls).toEqual([[{ err: new Error("the bucket is away") }, "uploads"]]);
  isBroken = false;
  await vi.advanceTimersByTimeAsync(59_999);
  expect(await succeededAt("uploads")).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  const soon = NOW.getTime() / 1_000 + 60;
  expect(await succeededAt("uploads")).toBe(soon);
  isBroken = true;
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(await succeededAt("uploads")).toBe(soon);
});

test("a scheduled job that takes longer than its interval is not begun beside itself", async () => {
  const runs: (() => void)[] = [];
  const run = () => new Promise<void>((end) => runs.push(end));
  startScheduler([{ name: "waitlists", everyMs: 15_000, run }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toHaveLength(1);
  runs[0]!();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(runs).toHaveLength(2);
});

test("a scheduled job of every day that might not begin does so within a minute of when it may", async () => {
  let [mayBegin, runs] = [false, 0];
  const run = async () => void (runs += 1);
  startScheduler([{ name: "uploads", everyMs: DAY_MS, run }], () => mayBegin);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(runs).toBe(0);
  mayBegin = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(DAY_MS - 660_000);
  expect(runs).toBe(2);
});

test("a stop waits for a scheduled job that runs, and none begins after it", async () => {
  const runs: (() => void)[] = [];
  const run = () => new Promise<void>((end) => runs.push(end));
  const stop = startScheduler([{ name: "waitlists", everyMs: 15_000, run }]);
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isStopped).toBe(false);
  expect(runs).toHaveLength(1);
  runs[0]!();
  await stopped;
});

test("nor is one tried again that fails while it is waited for", async () => {
  const runs: ((error: Error) => void)[] = [];
  const run = () => new Promise<void>((_, fail) => runs.push(fail));
  const stop = startScheduler([{ name: "uploads", everyMs: DAY_MS, run }]);
  const stopped = stop();
  runs[0]!(new Error("the bucket is away"));
  await stopped;
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(runs).toHaveLength(1);
});

test("what fails for one game is logged with its id, done for the others, and no success", async () => {
  const done: string[] = [];
  const decide = async (gameId: string) => {
    if (gameId === "b") throw new Error("b cannot be decided");
    done.push(gameId);
  };
  const run = () => runForEach({ ids: ["a", "b", "c"], of: "gameId", failed: "decision" }, decide);
  startScheduler([{ name: "decisions", everyMs: 15_000, run }]);
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(["a", "c"]);
  expect(logged.mock.calls).toEqual([
    [{ err: new Error("b cannot be decided"), gameId: "b" }, "decision"],
  ]);
  expect(await succeededAt("decisions")).toBe(0);
});
