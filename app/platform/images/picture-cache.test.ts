import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { log } from "#app/platform/log.server.ts";
import { createPictureStore } from "./drawn-pictures.server.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), "kickabout-pictures-"));
});
afterAll(() => rmSync(home, { recursive: true }));

const png = Buffer.from("picture");
const age = (file: string, hours: number) => {
  const then = Date.now() / 1_000 - hours * 3_600;
  utimesSync(file, then, then);
};

test("gives back what it was given, and null for anything else", async () => {
  const store = createPictureStore(path.join(home, "new", "folder"));
  expect(await store.read("one")).toBeNull();
  await store.write("one", png);
  expect(await store.read("one")).toEqual(png);
  expect(await store.read("two")).toBeNull();
});

test("keeps the newest, what was read counts as new, and a week is the end", async () => {
  const folder = path.join(home, "bounded");
  const store = createPictureStore(folder, 3);
  for (const [index, key] of ["a", "b", "c"].entries()) {
    await store.write(key, png);
    age(path.join(folder, `${key}.png`), 10 - index);
  }
  await store.read("a");
  await store.write("d", png);
  expect(readdirSync(folder).toSorted()).toEqual(["a.png", "c.png", "d.png"]);
  age(path.join(folder, "c.png"), 24 * 7 + 1);
  await store.write("a", png);
  expect(readdirSync(folder).toSorted()).toEqual(["a.png", "d.png"]);
});

test("a kept picture that cannot be read is logged, a missing one is not", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const store = createPictureStore(path.join(home, "unreadable"));
  expect(await store.read("one")).toBeNull();
  expect(warn).not.toHaveBeenCalled();
  mkdirSync(path.join(home, "unreadable", "one.png"), { recursive: true });
  expect(await store.read("one")).toBeNull();
  expect(warn).toHaveBeenCalledOnce();
  warn.mockRestore();
});

test("a folder that cannot be written is no failure", async () => {
  const file = path.join(home, "a-file");
  writeFileSync(file, "");
  const store = createPictureStore(path.join(file, "pictures"));
  await store.write("one", png);
  expect(await store.read("one")).toBeNull();
});
