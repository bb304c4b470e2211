import { expect, test } from "vitest";
import { inTurnByKey } from "./throttles.server.ts";

test("deeds of one key in turn, of two keys side by side", async () => {
  const inTurn = inTurnByKey();
  const same = counter();
  await Promise.all(Array.from({ length: 5 }, () => inTurn("a", same.deed)));
  expect(same.peak()).toBe(1);
  const different = counter();
  await Promise.all(["a", "b"].map((key) => inTurn(key, different.deed)));
  expect(different.peak()).toBe(2);
});

test("a deed that fails does not stop the next of its key", async () => {
  const inTurn = inTurnByKey();
  const failing = inTurn("a", () => Promise.reject(new Error("no")));
  const next = inTurn("a", async () => "yes");
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe("yes");
});

function counter() {
  let running = 0;
  let most = 0;
  const deed = async () => {
    most = Math.max(most, (running += 1));
    await new Promise(setImmediate);
    running -= 1;
  };
  return { deed, peak: () => most };
}
