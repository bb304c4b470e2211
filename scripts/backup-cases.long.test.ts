import * as fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { connect } from "#app/platform/connect.server.ts";
import { sweepFiles } from "#app/features/privacy/sweep-files.server.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { type BackupSite, expectNoCopies, openBackupSite, RESTORES } from "#test/backups.ts";
import { nameOfBackup } from "./backups/manifest.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let site: BackupSite;
beforeAll(async () => {
  site = await openBackupSite("embedded");
  await site.use(({ pool }) =>
    pool.query(`insert into pgboss.job (name, data, dead_letter)
      select name, '{"kind": "account-suspended"}', dead_letter from pgboss.queue, generate_series(1, 3)
      where name = 'mail.send'`),
  );
  await site.takeOne();
});
afterAll(() => site?.close());

test("a rehearsal puts emails that waited aside as the restore does, and leaves the site alone", async () => {
  const [backup = ""] = site.list();
  const jobs = () => site.use(({ pool }) => pool.query("select id, name, state from pgboss.job"));
  const before = (await jobs()).rows;
  const rehearsed = await site.run("restore.ts", "--rehearse", backup);
  expect(rehearsed).toEqual({ code: 0, problems: "", out: expect.stringMatching(RESTORES) });
  expect(rehearsed.out).toContain("emails put aside: 3,");
  expect((await jobs()).rows).toEqual(before);
  await expectNoCopies(site);
});

test("a picture is on the disk once for all backups that have it, and outlives the first of them", async () => {
  const [first = ""] = site.list();
  fs.writeFileSync(path.join(path.dirname(site.picture), "two.webp"), "new");
  const second = await site.takeOne();
  const inode = (backup: string) => fs.statSync(`${backup}/uploads/pictures/one.webp`).ino;
  expect(inode(second)).toBe(inode(first));
  expect(inode(second)).not.toBe(fs.statSync(site.picture).ino);
  fs.rmSync(first, { recursive: true });
  fs.writeFileSync(site.picture, "overwritten");
  expect(await site.run("restore.ts", second, "--replace", "kickabout")).toMatchObject({ code: 0 });
  expect(fs.readFileSync(site.picture, "utf8")).toBe("a picture");
  // What was restored is another file: what happens to it happens to no backup.
  fs.writeFileSync(site.picture, "overwritten");
  expect(fs.readFileSync(`${second}/uploads/pictures/one.webp`, "utf8")).toBe("a picture");
  fs.writeFileSync(site.picture, "a picture");
});

test("a picture that was damaged in a backup is copied again", async () => {
  const [before = ""] = site.list();
  fs.writeFileSync(`${before}/uploads/pictures/one.webp`, "A PICTURE");
  const next = await site.takeOne();
  expect(fs.readFileSync(`${next}/uploads/pictures/one.webp`, "utf8")).toBe("a picture");
  fs.rmSync(before, { recursive: true });
});

test("a picture that only the former database names stays for a day after the restore", async () => {
  const backup = await site.takeOne();
  const old = path.join(path.dirname(site.picture), "former-512.webp");
  fs.writeFileSync(old, "x");
  const sweep = (hours: number) =>
    site.use(({ db }) => {
      const later = new Date(Date.now() + hours * 3_600_000);
      return sweepFiles(db, openFiles({ dataDir: site.dataDir, bucket: null }), later);
    });
  for (const args of [[backup, "--replace", "kickabout"], ["--recovered"]]) {
    fs.utimesSync(old, 0, 0);
    expect(await site.run("restore.ts", ...args)).toMatchObject({ code: 0, problems: "" });
    // Nothing is swept where no row names a file.
    await site.use(({ pool }) =>
      pool.query("update profiles set profile_picture_url = '/files/pictures/one.webp'"),
    );
    expect(await sweep(0)).toBe(0);
  }
  await sweep(25);
  expect(fs.existsSync(old)).toBe(false);
});

test("a backup says when the configuration is not in it, as in a container", async () => {
  const file = path.join(site.folder, ".env");
  onTestFinished(() => {
    fs.rmSync(file, { force: true });
    site.env.DEMO = "1";
  });
  const take = async (demo: string, configuration?: string) => {
    site.env.DEMO = demo;
    if (configuration !== undefined) fs.writeFileSync(file, configuration);
    const taken = await site.run("backup.ts", path.join(site.folder, "others"), "--quiet");
    expect(taken).toMatchObject({ code: 0, out: "" });
    return taken.problems;
  };
  const problem = expect.stringMatching(/^The backup has no \.env with SESSION_SECRET: .*\n$/);
  expect(await take("0")).toEqual(problem);
  expect(await take("0", "BRAND_NAME=Kickabout\nSESSION_SECRET=\n")).toEqual(problem);
  expect(await take("1")).toBe("");
  site.env.SESSION_SECRET = "0123";
  fs.rmSync(file);
  expect(await take("0")).toBe("");
  site.env.SESSION_SECRET = "";
  expect(await take("0", "BRAND_NAME=Kickabout\nSESSION_SECRET=0123\n")).toBe("");
});

test("a backup of nothing, or without the pictures that it cannot read, is none", async () => {
  const before = site.list();
  onTestFinished(() => void (site.env.DATA_DIR = site.dataDir));
  const dataDir = path.join(site.folder, "empty");
  await connect({ databaseUrl: undefined, dataDir }).then(({ close }) => close());
  site.env.DATA_DIR = dataDir;
  const empty = await site.run("backup.ts", site.backups);
  expect(empty).toMatchObject({ code: 1, out: "" });
  expect(empty.problems).toBe("This database is empty: nothing was ever migrated here\n");
  site.env.DATA_DIR = site.dataDir;
  const uploads = path.join(site.dataDir, "uploads");
  fs.renameSync(uploads, `${uploads}.kept`);
  fs.symlinkSync("uploads", uploads);
  const unread = await site.run("backup.ts", site.backups);
  fs.rmSync(uploads);
  fs.renameSync(`${uploads}.kept`, uploads);
  expect(unread).toMatchObject({ code: 1, out: "" });
  expect(unread.problems).toMatch(/^ELOOP: .*\n$/);
  expect(site.list()).toEqual(before);
});

test("--keep deletes what is older than so many days, however many backups a day has", async () => {
  const newest = site.list().at(-1)!;
  const now = Date.now();
  const daysAgo = (days: number) =>
    path.join(site.backups, nameOfBackup(new Date(now - days * 86_400_000)));
  const young = [89.9, 89.8, 89.7, 89.6, 89.5, 89.4];
  for (const days of [91, 90.1, ...young]) {
    fs.cpSync(newest, daysAgo(days), { recursive: true });
  }
  const before = site.list();
  await site.run("backup.ts", site.backups, "--quiet", "--keep", "90");
  expect(site.list().slice(0, -1)).toEqual(before.slice(2));
  for (const days of young) fs.rmSync(daysAgo(days), { recursive: true });
});

test("the seven newest stay whatever their age, as after a backup by a wrong clock", async () => {
  const folder = path.join(site.folder, "kept");
  const newest = site.list().at(-1)!;
  fs.mkdirSync(folder);
  const names = Array.from({ length: 8 }, (_, day) =>
    nameOfBackup(new Date(Date.UTC(2026, 0, 1 + day))),
  );
  for (const name of names) fs.cpSync(newest, path.join(folder, name), { recursive: true });
  await site.run("backup.ts", folder, "--quiet", "--keep", "90");
  expect(fs.readdirSync(folder).toSorted().slice(0, -1)).toEqual(names.slice(-6));
  fs.rmSync(folder, { recursive: true });
});
