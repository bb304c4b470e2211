import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { type BackupSite, openBackupSite, readContents } from "#test/backups.ts";
import { aPlayer } from "#test/fixtures.ts";

// backup-cases.long.test.ts has the other cases, backup.long.test.ts those of a PostgreSQL server too.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let site: BackupSite;
beforeAll(async () => {
  site = await openBackupSite("embedded");
});
afterAll(() => site?.close());

test("a backup is restored as it was, and only by the database's name", async () => {
  const before = await site.use(readContents);
  const backup = await site.takeOne();
  await site.use((database) => aPlayer(database.db, { name: "Later" }));
  fs.rmSync(site.picture);
  const rejected = await site.run("restore.ts", backup);
  const out = `In the embedded database of ${site.dataDir}:\n`;
  expect(rejected).toMatchObject({ code: 1, out });
  expect(rejected.problems).toMatch(/^The database kickabout has .*\n$/);
  const restored = await site.run("restore.ts", backup, "--replace", "kickabout");
  expect(restored).toMatchObject({ code: 0, problems: "" });
  expect(await site.use(readContents)).toEqual(before);
  expect(fs.readFileSync(site.picture, "utf8")).toBe("a picture");
});

test("a backup names the code that it is restored with", () => {
  const [backup = ""] = site.list();
  const { code } = JSON.parse(fs.readFileSync(`${backup}/manifest.json`, "utf8"));
  const { version } = JSON.parse(fs.readFileSync(`${projectRoot}/package.json`, "utf8"));
  const head = spawnSync("git", ["rev-parse", "HEAD"], { cwd: projectRoot, encoding: "utf8" });
  expect(code).toEqual({ version, commit: head.stdout?.trim() || null });
});

test("a backup that was changed is not restored", async () => {
  const [backup = ""] = site.list();
  fs.appendFileSync(`${backup}/cluster.tar.gz`, "x");
  const failed = await site.run("restore.ts", "--rehearse", backup);
  const problems = `${backup} is damaged: cluster.tar.gz\n`;
  expect(failed).toEqual({ code: 1, out: "", problems });
});

test("a backup that the disk has no room for is one line, and leaves nothing", async () => {
  const before = fs.readdirSync(site.backups);
  const limit = ["sh", "-c", 'ulimit -f 1000 && exec "$@"', "sh"];
  // The database runs already, so that the limit is not PostgreSQL's.
  const failed = await site.use(() => site.runUnder(limit, "backup.ts", site.backups));
  expect(failed).toEqual({ code: 1, out: "", problems: "EFBIG: file too large, write\n" });
  expect(fs.readdirSync(site.backups)).toEqual(before);
});
