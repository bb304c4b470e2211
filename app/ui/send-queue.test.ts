import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keptKey, readKept, writeKept } from "./kept.ts";
import {
  addToQueue,
  changeQueue,
  readQueue,
  type Reason,
  resumeSending,
  startSending,
} from "./send-queue.ts";

interface Text {
  text: string;
}

const KEY = keptKey("chat", "fives", "ada");
const sent: string[] = [];
let answer: (id: string) => Promise<Reason | null> | Reason | null;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  answer = accept;
  openPage();
});
afterEach(() => {
  stop();
  writeKept(KEY, null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function openPage() {
  stop = startSending<Text>(KEY, async ({ id }) => {
    sent.push(id);
    return answer(id);
  });
}
const accept = (id: string) => {
  changeQueue(KEY, (each) => (each.id === id ? null : each));
  return null;
};
const add = (id: string) => {
  addToQueue<Text>(KEY, { id, text: id });
  void resumeSending(KEY);
  return vi.advanceTimersByTimeAsync(0);
};
const states = () => readQueue(KEY).map(({ id, state, why }) => [id, state, why].join(" ").trim());

test("what is tried again and again gets no newer by it", async () => {
  answer = () => ({});
  await add("a");
  const items = readQueue(KEY);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent.length > 5, readQueue(KEY)]).toEqual([true, items]);
  expect(readQueue(KEY)).toBe(items);
});

test("what gets no answer at all waits, and is tried again", async () => {
  answer = () => new Promise<null>(() => {});
  await add("a");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(states()).toEqual(["a waiting"]);
  answer = accept;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([sent, states()]).toEqual([["a", "a"], []]);
});

test("none overtakes one that waits, and all go once it can", async () => {
  answer = () => ({});
  await add("a");
  await add("b");
  expect([states(), sent]).toEqual([
    ["a waiting", "b waiting"],
    ["a", "a"],
  ]);
  answer = accept;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([states(), sent.slice(2)]).toEqual([[], ["a", "b"]]);
});

test("what is rejected stays with its reason and holds nobody up", async () => {
  answer = (id) => {
    changeQueue(KEY, (each) => (each.id === id ? { ...each, state: "rejected", why: "No" } : each));
    return null;
  };
  await add("a");
  answer = accept;
  await add("b");
  expect([states(), sent]).toEqual([["a rejected No"], ["a", "b"]]);
});

test("nothing is sent before the server takes more, nor added to go ahead of that", async () => {
  answer = () => ({ why: "Too fast", notBefore: Date.now() + 60_000 });
  await add("a");
  await add("b");
  expect([states(), sent]).toEqual([["a waiting Too fast", "b waiting Too fast"], ["a"]]);
  answer = accept;
  await vi.advanceTimersByTimeAsync(59_999);
  expect(sent).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(1);
  expect([states(), sent]).toEqual([[], ["a", "a", "b"]]);
});

test("one that is over without leaving the queue waits, as does what is thrown", async () => {
  answer = () => null;
  await add("a");
  answer = () => Promise.reject(new Error("lost"));
  await add("b");
  expect([states(), sent]).toEqual([
    ["a waiting", "b waiting"],
    ["a", "a"],
  ]);
});

test("a queue that is left sends no more, and what it was sending counts", async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  answer = () => promise;
  await add("a");
  await add("b");
  stop();
  accept("a");
  resolve(null);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([states(), sent]).toEqual([["b sending"], ["a"]]);
});

test("what waits for another reason is sent again by the next page, which does not repeat the reason", async () => {
  answer = () => ({ why: "Sign in again" });
  await add("a");
  await vi.advanceTimersByTimeAsync(60_000);
  expect([states(), sent]).toEqual([["a waiting Sign in again"], ["a"]]);
  stop();
  addToQueue<Text>(KEY, { id: "b", text: "b" });
  answer = () => new Promise(() => {});
  openPage();
  expect([states(), sent]).toEqual([
    ["a waiting", "b sending"],
    ["a", "a"],
  ]);
});

test("a device that knows that it is offline tries again when it is not", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  answer = () => ({});
  await add("a");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual(["a"]);
  answer = accept;
  await resumeSending(KEY);
  expect([sent, readKept(KEY)]).toEqual([["a", "a"], null]);
});
