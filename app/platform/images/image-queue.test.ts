import { expect, test } from "vitest";
import { workOnPicture } from "./image-queue.server.ts";

const turn = (client: string) => ({ client, account: client });

test("one picture is worked on at a time, whatever it is for, and a crowd is turned away", async () => {
  let [running, most, done] = [0, 0, 0];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    done += 1;
    return done;
  };
  const crowd = Array.from({ length: 40 }, (_, n) => workOnPicture(turn(`who ${n % 4}`), work));
  const results = await Promise.all(crowd);
  expect([most, done]).toEqual([1, 17]);
  expect(results.filter((result) => result === "busy")).toHaveLength(23);
  await expect(
    workOnPicture(turn("who"), () => Promise.reject(new Error("broken"))),
  ).rejects.toThrow("broken");
  expect(await workOnPicture(turn("who"), work)).toBe(18);
});
