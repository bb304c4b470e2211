import { expect, test } from "vitest";
import { singleFlight } from "./single-flight.server.ts";
import { waitForDatabase, withOwnTime } from "./postgres/database-time.server.ts";

/** Reads that end on demand; `begun` counts them. */
function someReads() {
  const source = {};
  const reads: PromiseWithResolvers<string>[] = [];
  const ask = (key = "games") =>
    singleFlight(source, key, () => {
      const read = Promise.withResolvers<string>();
      reads.push(read);
      return read.promise;
    });
  return { source, reads, ask };
}

test("who asks while a read is under way shares the one that begins after it", async () => {
  const { reads, ask } = someReads();
  const first = ask();
  const [second, third] = [ask(), ask()];
  expect(reads).toHaveLength(1);
  reads[0]!.resolve("before");
  expect(await first).toBe("before");
  await expect.poll(() => reads.length).toBe(2);
  const late = ask();
  reads[1]!.resolve("after");
  expect(await Promise.all([second, third])).toEqual(["after", "after"]);
  await expect.poll(() => reads.length).toBe(3);
  reads[2]!.resolve("at last");
  expect(await late).toBe("at last");
});

test("one alone begins at once, and nothing of it is kept", async () => {
  const { reads, ask } = someReads();
  for (const text of ["one", "two"]) {
    const asked = ask();
    reads.at(-1)!.resolve(text);
    expect(await asked).toBe(text);
  }
  expect(reads).toHaveLength(2);
});

test("other questions and other databases are read at once", async () => {
  const { reads, ask } = someReads();
  const other = someReads();
  const asked = [ask(), ask("venues"), other.ask()];
  expect([reads.length, other.reads.length]).toEqual([2, 1]);
  // What is left waiting would fail after its time, in the middle of another test.
  for (const read of [...reads, ...other.reads]) read.resolve("read");
  await Promise.all(asked);
});

test("a failure is that of who shared it, and the next read is made all the same", async () => {
  const { reads, ask } = someReads();
  const [first, second] = [ask(), ask()];
  reads[0]!.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect.poll(() => reads.length).toBe(2);
  reads[1]!.resolve("back");
  expect(await second).toBe("back");
});

test("a failure of each of two reads reaches those who asked, and nobody else", async () => {
  const { reads, ask } = someReads();
  const [first, second] = [ask(), ask()];
  reads[0]!.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect.poll(() => reads.length).toBe(2);
  // An error that nobody handles ends the process, and fails this run.
  reads[1]!.reject(new Error("still away"));
  await expect(second).rejects.toThrow("still away");
  const third = ask();
  reads[2]!.resolve("back");
  expect(await third).toBe("back");
});

test("a read has time of its own, however long those who share it have waited", async () => {
  const { source, reads, ask } = someReads();
  void ask();
  const inTime = () => singleFlight(source, "games", () => waitForDatabase(1_000, read, () => {}));
  const read = () => Promise.resolve("there");
  const early = withOwnTime(inTime, 40);
  const late = withOwnTime(inTime);
  await expect(early).rejects.toThrow("in time");
  reads[0]!.resolve("slow");
  expect(await late).toBe("there");
});
