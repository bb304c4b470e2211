import { afterEach, expect, test, vi } from "vitest";
import { BusyError, createFairQueue } from "./fair-queue.server.ts";

const LIMITS = { atOnce: 1, maxWaitMs: 1_000, maxWaiting: 100 };
const requester = (client: string, account = "any") => ({ client, account });

/** Work that ends when the test says so, and the order in which it began. */
function work() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const piece = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  const finishOne = async () => {
    ends.shift()!();
    await new Promise(setImmediate);
  };
  return { begun, piece, finishOne };
}

afterEach(() => void vi.useRealTimers());

test("a burst of one client delays another by one piece of work", async () => {
  const queue = createFairQueue(LIMITS);
  const { begun, piece, finishOne } = work();
  const burst = ["a1", "a2", "a3", "a4"].map((name) => queue.run(requester("a"), piece(name)));
  const other = queue.run(requester("b"), piece("b1"));
  for (let n = 0; n < 5; n += 1) await finishOne();
  expect(await Promise.all([...burst, other])).toEqual(["a1", "a2", "a3", "a4", "b1"]);
  expect(begun).toEqual(["a1", "a2", "b1", "a3", "a4"]);
});

test("accounts behind one address are served round robin as well", async () => {
  const queue = createFairQueue(LIMITS);
  const { begun, piece, finishOne } = work();
  const guesses = ["x1", "x2", "x3"].map((name) =>
    queue.run(requester("campus", "x"), piece(name)),
  );
  const mine = queue.run(requester("campus", "y"), piece("y1"));
  for (let n = 0; n < 4; n += 1) await finishOne();
  await Promise.all([...guesses, mine]);
  expect(begun).toEqual(["x1", "x2", "y1", "x3"]);
});

test("so many run at a time, and work that fails hands its place on", async () => {
  const queue = createFairQueue({ ...LIMITS, atOnce: 2 });
  const { begun, piece, finishOne } = work();
  const broken = queue.run(requester("a"), () => Promise.reject(new Error("broken")));
  const running = ["b", "c", "d"].map((name) => queue.run(requester(name), piece(name)));
  expect(begun).toEqual(["b"]);
  await expect(broken).rejects.toThrow("broken");
  expect(begun).toEqual(["b", "c"]);
  for (let n = 0; n < 3; n += 1) await finishOne();
  expect(await Promise.all(running)).toEqual(["b", "c", "d"]);
});

test("where too much waits, the last piece of who has most waiting fails, and nobody else's", async () => {
  const queue = createFairQueue({ ...LIMITS, maxWaiting: 3 });
  const { begun, piece, finishOne } = work();
  const running = queue.run(requester("a"), piece("a1"));
  const burst = ["a2", "a3", "a4"].map((name) => queue.run(requester("a"), piece(name)));
  const failed = Promise.allSettled(burst);
  const others = ["b1", "c1"].map((name) => queue.run(requester(name), piece(name)));
  await Promise.all([
    expect(burst[2]).rejects.toThrow(BusyError),
    expect(burst[1]).rejects.toThrow(BusyError),
  ]);
  for (let n = 0; n < 4; n += 1) await finishOne();
  await Promise.all([running, failed, ...others]);
  expect(begun).toEqual(["a1", "a2", "b1", "c1"]);
});

test("the wait is bounded in time and in length, and ends without a trace", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const queue = createFairQueue({ ...LIMITS, maxWaiting: 2 });
  const { begun, piece, finishOne } = work();
  const running = queue.run(requester("a"), piece("a"));
  const late = ["b1", "b2", "b3"].map((name) => queue.run(requester("b"), piece(name)));
  const failed = Promise.allSettled(late);
  await expect(late[2]).rejects.toThrow("too much work is waiting");
  vi.advanceTimersByTime(LIMITS.maxWaitMs);
  for (const each of await failed) expect(each).toMatchObject({ reason: expect.any(BusyError) });
  const next = queue.run(requester("c"), piece("c"));
  await finishOne();
  await finishOne();
  expect([await running, await next, begun]).toEqual(["a", "c", ["a", "c"]]);
});
