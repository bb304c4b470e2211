import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findBackup, MANIFEST, readBackup } from "./manifest.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "kickabout-manifest-"))));
afterEach(() => rmSync(folder, { recursive: true }));

test.each(["", "{", '{"format":2}'])("a manifest that reads %j names its backup", async (text) => {
  const backup = path.join(folder, "kickabout-2026-11-23T044500.123Z");
  mkdirSync(backup);
  writeFileSync(path.join(backup, MANIFEST), text);
  expect(await findBackup(folder)).toBe(backup);
  await expect(readBackup(backup)).rejects.toThrow(`${backup} is not a backup`);
});

test("a file in a folder's place is no backup", async () => {
  const file = path.join(folder, "database.dump");
  writeFileSync(file, "");
  await expect(findBackup(file)).rejects.toThrow(`${file} has no backup`);
});
