import * as fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openBackupSite, RESTORES, SILENT } from "#test/backups.ts";
import { findRsync, openOffsite } from "#test/offsite.ts";

vi.setConfig({ testTimeout: 160_000 });

test("backups are copied by the page's own script, each once, and a copy restores", async () => {
  const site = await openBackupSite("embedded");
  onTestFinished(() => site.close());
  const offsite = openOffsite(site.backups, findRsync());
  onTestFinished(() => offsite.close());
  const inCopy = (backup: string, ...names: string[]) =>
    path.join(offsite.copies, path.basename(backup), ...names);
  const picture = ["uploads", "pictures", "one.webp"];

  const first = await site.takeOne();
  fs.mkdirSync(path.join(site.backups, ".half-of-a-backup"));
  expect(offsite.copy()).toEqual(SILENT);
  const second = await site.takeOne();
  // An attacker, or a disk that is about to fail.
  fs.writeFileSync(path.join(first, "manifest.json"), "spoilt since");
  expect(offsite.copy()).toEqual(SILENT);
  expect(fs.readdirSync(offsite.copies).sort()).toEqual(
    [first, second].map((it) => path.basename(it)),
  );
  expect(fs.readFileSync(inCopy(first, "manifest.json"), "utf8")).toContain('"format": 1');
  // Each picture is on the disk once.
  expect(fs.statSync(inCopy(second, ...picture)).ino).toBe(
    fs.statSync(inCopy(first, ...picture)).ino,
  );

  // One that was broken off has no name yet, and is completed.
  const half = path.join(offsite.copies, `.half-${path.basename(second)}`);
  fs.renameSync(inCopy(second), half);
  fs.rmSync(path.join(half, ...picture));
  expect(offsite.copy()).toEqual(SILENT);
  expect(fs.existsSync(inCopy(second, ...picture))).toBe(true);
  expect(offsite.checkAge()).toEqual(SILENT);

  const rehearsed = await site.run("restore.ts", offsite.copies, "--rehearse");
  expect(rehearsed).toMatchObject({ code: 0, problems: "" });
  expect(rehearsed.out).toMatch(RESTORES);
  expect(rehearsed.out).toContain(offsite.copies);
});
