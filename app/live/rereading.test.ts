import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRereading } from "./rereading.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const HOUR_MS = 3_600_000;

/** Answers these, then true; when it read, in whole minutes. */
function readings(...answers: (boolean | null)[]) {
  const at: number[] = [];
  const start = Date.now();
  const rereading = createRereading(async () => {
    at.push(Math.floor((Date.now() - start) / 60_000));
    return answers.length > 0 ? answers.shift()! : true;
  });
  return { ...rereading, at };
}

test("several changes are one reading", async () => {
  const { soon, at } = readings();
  soon();
  soon();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(at).toEqual([0]);
});

test("a reading that failed is tried again, ever less often, until data came", async () => {
  const { soon, at } = readings(...Array<false>(20).fill(false));
  soon();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(at).toHaveLength(21);
  expect(at.slice(0, 4)).toEqual([0, 0, 0, 0]);
  expect(at.at(-1)).toBeGreaterThan(5);
});

test("a page that is in use is read within a second of its end, also after failures", async () => {
  const inUse = Array<null>(100).fill(null);
  const { soon, at } = readings(false, false, false, false, false, ...inUse);
  soon();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(at).toHaveLength(106);
  expect(at.at(-1)).toBeLessThan(5);
});

test("a change while the page is read is read afterwards", async () => {
  let finish!: (isRead: boolean) => void;
  const read = vi.fn<() => Promise<boolean>>(() => new Promise((resolve) => (finish = resolve)));
  const { soon } = createRereading(read);
  soon();
  await vi.advanceTimersByTimeAsync(2_000);
  soon();
  finish(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(read).toHaveBeenCalledTimes(2);
});

test("a page that is gone is not read, not even if its last reading fails", async () => {
  let finish!: (isRead: boolean) => void;
  const read = vi.fn<() => Promise<boolean>>(() => new Promise((resolve) => (finish = resolve)));
  const { soon, stop } = createRereading(read);
  soon();
  await vi.advanceTimersByTimeAsync(2_000);
  stop();
  finish(false);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(read).toHaveBeenCalledTimes(1);
});
