import { expect, test } from "vitest";
import { namingFullDisk } from "./full-disk.server.ts";

test.each([
  ["ENOSPC: no space left on device, write", " (in /var/data)"],
  ["EDQUOT: disk quota exceeded, write", " (in /var/data)"],
  ["pg_dump failed: could not write to output file: No space left on device", " (in /var/data)"],
  ["ENOSPC: no space left on device, mkdir '/var/data/one'", ""],
  ["EEXIST: file already exists, open 'one'", ""],
])("an error of a write has its folder where the disk is full: %s", async (message, added) => {
  const error = Object.assign(new Error(message), { code: "E" });
  const named = await namingFullDisk("/var/data", Promise.reject(error)).catch((caught) => caught);
  expect(named).toBe(error);
  expect(named).toMatchObject({ message: message + added, code: "E" });
});

test("what is written is handed on", async () => {
  expect(await namingFullDisk("/var/data", Promise.resolve(1))).toBe(1);
});
