import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchArrival } from "./use-arrival.ts";

const page = Object.assign(new EventTarget(), { hidden: false });
let looks: number[];
let end: () => void;
const onStop = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  page.hidden = false;
  looks = [];
  onStop.mockClear();
});
afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watch(result: () => Promise<boolean> = async () => false) {
  const startedAt = Date.now();
  const look = () => {
    looks.push((Date.now() - startedAt) / 1_000);
    return result();
  };
  end = watchArrival({ look, onStop });
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
function show(isShown: boolean) {
  page.hidden = !isShown;
  page.dispatchEvent(new Event("visibilitychange"));
}

test("every 2 seconds, after 30 every 10, and no more after 10 minutes", async () => {
  watch();
  await pass(50);
  expect(looks).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 40, 50]);
  await pass(3_600);
  expect(looks.at(-1)).toBe(600);
  expect(onStop).toHaveBeenCalledOnce();
});

test("rests while the page is hidden, and looks at once when it is back", async () => {
  watch();
  await pass(3);
  show(false);
  await pass(1_000);
  expect(looks).toEqual([2]);
  show(true);
  await pass(5);
  expect(looks).toEqual([2, 1_003, 1_005, 1_007]);
  expect(onStop).not.toHaveBeenCalled();
});

test("a look that fails is repeated; one that finds something is the last", async () => {
  const results = [Promise.reject(new TypeError("no connection")), Promise.resolve(true)];
  for (const result of results) result.catch(() => {});
  watch(() => results.shift()!);
  await pass(60);
  show(false);
  show(true);
  await pass(60);
  expect(looks).toEqual([2, 4]);
});

test("it ends at once, also during a look", async () => {
  watch(async () => {
    end();
    return false;
  });
  await pass(60);
  expect(looks).toEqual([2]);
});
