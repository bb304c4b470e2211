import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createQueue, QueueFullError } from "./queue.server.ts";

test("runs so many at a time, in order, and hands every place on", async () => {
  const queue = createQueue(2, 10);
  const order: number[] = [];
  let [running, most] = [0, 0];
  const work = (n: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    order.push(n);
    await delay(5);
    running -= 1;
    return n;
  };
  const answers = await Promise.all([0, 1, 2, 3, 4].map((n) => queue.run(work(n))));
  expect([answers, order, most]).toEqual([[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], 2]);
  expect(await queue.run(work(5))).toBe(5);
});

test("refuses who would wait behind too many, and takes others after it", async () => {
  const queue = createQueue(1, 1);
  const slow = [queue.run(() => delay(20)), queue.run(() => delay(20))];
  await expect(queue.run(async () => 1)).rejects.toThrow(QueueFullError);
  await Promise.all(slow);
  expect(await queue.run(async () => 2)).toBe(2);
});

test("work that fails gives its place back", async () => {
  const queue = createQueue(1, 5);
  const failing = queue.run(async () => {
    throw new Error("broken");
  });
  const next = queue.run(async () => "next");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("next");
});
