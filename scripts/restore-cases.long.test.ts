import * as fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sweepFiles } from "#app/features/privacy/sweep-files.server.ts";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { readMark } from "#app/platform/upload-owner.server.ts";
import { type BackupSite, openBackupSite } from "#test/backups.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let site: BackupSite;
beforeAll(async () => {
  site = await openBackupSite("embedded");
  await site.takeOne();
});
afterAll(() => site?.close());

test("without a database from before a restore says that what was ended since is valid again", async () => {
  const backup = site.list().at(-1)!;
  site.env.DATA_DIR = path.join(site.folder, "elsewhere");
  const restored = await site.run("restore.ts", backup);
  expect(restored).toMatchObject({ code: 0, problems: "" });
  expect(restored.out).toContain("what was changed or ended since is valid again");
  expect(restored.out).not.toContain("What was there before");
  expect(fs.readdirSync(site.env.DATA_DIR).filter((name) => name.includes("before"))).toEqual([]);
  site.env.DATA_DIR = site.dataDir;
  const recovered = await site.run("restore.ts", "--recovered");
  expect(recovered.out).toContain("what was changed or ended since is valid again");
});

test("a restore in its place still sweeps its uploads, one elsewhere sweeps none of them", async () => {
  const files = openFiles({ dataDir: site.dataDir, bucket: null });
  const mark = await site.use(({ db }) => readMark(db));
  await files.claim(mark);
  const backup = await site.takeOne();
  expect(fs.readdirSync(path.join(backup, "uploads"))).toEqual(["pictures"]);
  await site.run("restore.ts", backup, "--replace", "kickabout");
  expect(await site.use(({ db }) => readMark(db))).toBe(mark);
  site.env.DATA_DIR = path.join(site.folder, "a-try");
  await site.run("restore.ts", backup);
  const other = await connect({ databaseUrl: undefined, dataDir: site.env.DATA_DIR });
  try {
    await expect(sweepFiles(other.db, files, new Date())).rejects.toThrow(/another database's/);
  } finally {
    await other.close();
    site.env.DATA_DIR = site.dataDir;
  }
});

test("a backup that this version cannot migrate names the commit that can", async () => {
  const [last, change] = [await newestMigration(), "set checksum = reverse(checksum)"];
  const turn = ({ pool }: Connection) =>
    pool.query(`update schema_migrations ${change} where name = $1`, [last]);
  await site.use(turn);
  const backup = await site.takeOne();
  await site.use(turn);
  const rejected = await site.run("restore.ts", backup, "--replace", "kickabout");
  expect(rejected).toMatchObject({ code: 1 });
  expect(rejected.problems).toMatch(
    /^The backup cannot be migrated: restore it with its own version, commit [0-9a-f]{40} \(/,
  );
});

const newestMigration = () =>
  site.use(async ({ pool }) => {
    const { rows } = await pool.query<{ name: string }>(
      "select max(name) as name from schema_migrations",
    );
    return rows[0]!.name;
  });
