import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, expect, test, vi } from "vitest";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import {
  type BackupSite,
  expectNoCopies,
  type Kind,
  KINDS,
  openBackupSite,
  readContents,
  SILENT,
} from "#test/backups.ts";
import { aPlayer, markDeleted } from "#test/fixtures.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const sites = new Map<Kind, BackupSite>();
afterAll(() => sites.forEach((site) => site.close()));

async function open(kind: Kind): Promise<BackupSite> {
  const site = sites.get(kind) ?? (await openBackupSite(kind));
  sites.set(kind, site);
  return site;
}

test.each(KINDS)(
  "%s: a restore brings back every row and file as it was, and keeps what was there",
  async (kind) => {
    const site = await open(kind);
    const before = await site.use(readContents);
    const backup = await site.takeOne();
    const later = await site.use((database) => aPlayer(database.db, { name: "Later" }));
    const gone = await site.use(async ({ db }) => {
      const { user_id: id } = await db
        .selectFrom("profiles")
        .selectAll()
        .where("first_name", "=", "Ben")
        .executeTakeFirstOrThrow();
      await markDeleted(db, id);
      return id;
    });
    fs.rmSync(site.picture);
    const args = [backup, "--replace", "kickabout"];
    const restored = await site.run("restore.ts", ...args);
    expect(restored).toMatchObject({ code: 0, problems: "" });
    expect(restored.out).toContain("secret addresses are as they were just before\n");
    expect(restored.out).toContain(`Deleted since the backup, and back: ${gone}\n`);
    expect(await site.use(readContents)).toEqual(before);
    expect(fs.readFileSync(site.picture, "utf8")).toBe("a picture");
    const [, former = ""] = /kept as (?:folder|database) (\S+):/.exec(restored.out) ?? [];
    expect(await usersOf(site, former)).toContain(later);
    await expectNoCopies(site);
  },
);

test.each(KINDS)(
  "%s: a restore whose pictures cannot be copied leaves all as it was",
  async (kind) => {
    const site = await open(kind);
    const before = await site.use(readContents);
    const backup = await site.takeOne();
    // No file can take its place.
    fs.rmSync(site.picture);
    fs.mkdirSync(site.picture);
    const failed = await site.run("restore.ts", backup, "--replace", "kickabout");
    expect(failed).toMatchObject({ code: 1, out: expect.stringMatching(/^In the .*:\n$/) });
    expect(failed.problems).toMatch(/^.*\n$/);
    await expectNoCopies(site);
    expect(await site.use(readContents)).toEqual(before);
    expect(fs.readdirSync(path.join(site.dataDir, "uploads"))).toEqual(["pictures"]);
    fs.rmdirSync(site.picture);
    fs.writeFileSync(site.picture, "a picture");
  },
);

test.each(KINDS)(
  "%s: what a killed restore has left goes, what has a like name stays",
  async (kind) => {
    const site = await open(kind);
    const backup = await site.takeOne();
    const names = ["copy-0123abcd", "copy-of-may", "copy-0123abcd-kept"];
    const [left, ...kept] = kind === "server" ? names.map(asDatabase) : names;
    await site.use(async ({ pool }) => {
      for (const name of [left!, ...kept]) {
        if (kind === "server") await pool.query(`create database ${name}`);
        else fs.mkdirSync(path.join(site.dataDir, name));
      }
    });
    expect(await site.run("restore.ts", "--rehearse", backup, "--quiet")).toEqual(SILENT);
    const found = await site.use(async ({ pool }) => {
      const { rows } = await pool.query<{ name: string }>(
        "select datname as name from pg_database",
      );
      return [...rows.map(({ name }) => name), ...fs.readdirSync(site.dataDir)];
    });
    expect(found).not.toContain(left);
    expect(found).toEqual(expect.arrayContaining(kept));
    await site.use(async ({ pool }) => {
      for (const name of kept) {
        if (kind === "server") await pool.query(`drop database ${name}`);
        else fs.rmdirSync(path.join(site.dataDir, name));
      }
    });
  },
);

test("what waited or was ended by the time of the restore stays so", async () => {
  const site = await open(KINDS.at(-1)!);
  await site.use(fillForSettling);
  const backup = await site.takeOne();
  const restored = await site.run("restore.ts", backup, "--replace", "kickabout");
  expect(restored.out).toContain("22 emails that waited then are put aside");
  const waiting = sql<{ name: string; count: number }>`
    select name, count(*)::int from pgboss.job where state = 'created' group by name order by name`;
  await site.use(async ({ db }) => {
    expect((await waiting.execute(db)).rows).toEqual([{ name: "failed-mails", count: 22 }]);
    for (const table of ["sessions", "verifications"] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });
  const sent = await site.run("restore.ts", "--send-mails");
  expect(sent).toEqual({ code: 0, out: "22 emails are sent\n", problems: "" });
  await site.use(async ({ db }) => {
    const again = { name: "mail.send", count: 22 };
    expect((await waiting.execute(db)).rows).toEqual([again]);
  });
  const settled = await site.run("restore.ts", "--recovered");
  expect(settled).toMatchObject({ code: 0, problems: "" });
  expect(settled.out).toContain("22 emails that waited then are put aside");
});

test("a database with accounts is replaced only by its name, and never one in use", async () => {
  const site = await open(KINDS.at(-1)!);
  const backup = await site.takeOne();
  const before = await site.use(readContents);
  const tries = {
    "The database kickabout has": [backup],
    "--replace other: the database is called kickabout": [backup, "--replace", "other"],
    "Which backup?": [site.backups],
    "has no backup": [site.dataDir],
  };
  for (const [problem, args] of Object.entries(tries)) {
    const failed = await site.run("restore.ts", ...args);
    expect(failed.code).toBe(1);
    expect(failed.problems).toMatch(/^.*\n$/);
    expect(failed.problems).toContain(problem);
  }
  await site.use(async (database) => {
    await database.pool.query("select 1");
    const used = await site.run("restore.ts", backup, "--replace", "kickabout");
    expect(used.code).toBe(1);
    expect(used.out).toMatch(/^In the database kickabout at \S+:\n$/);
    expect(used.problems).toMatch(/^Stop every process first: \d+ connections/);
  });
  expect(await site.use(readContents)).toEqual(before);
});

test("a backup that was changed is not restored", async () => {
  const site = await open(KINDS.at(-1)!);
  const backup = await site.takeOne();
  const damaged = { uploads: "uploads/pictures/one.webp", [fileOf(backup)]: fileOf(backup) };
  for (const [part, name] of Object.entries(damaged)) {
    const file = path.join(backup, name);
    const bytes = fs.readFileSync(file);
    const changed = Buffer.from(bytes);
    changed[changed.length >> 1]! ^= 1;
    fs.writeFileSync(file, changed);
    const failed = await site.run("restore.ts", "--rehearse", backup);
    expect(failed).toEqual({ code: 1, out: "", problems: `${backup} is damaged: ${part}\n` });
    fs.writeFileSync(file, bytes);
  }
  expect(await site.run("restore.ts", "--rehearse", backup, "--quiet")).toEqual(SILENT);
});

test("a rehearsal fails where the backup has other counts or wrong books", async () => {
  const site = await open(KINDS.at(-1)!);
  const backup = await site.takeOne();
  const file = path.join(backup, "manifest.json");
  const text = fs.readFileSync(file, "utf8");
  fs.writeFileSync(file, text.replace(/"games": \d+/, '"games": 999'));
  const other = await site.run("restore.ts", "--rehearse", backup);
  expect(other).toMatchObject({ code: 1, out: "" });
  expect(other.problems).toMatch(/^Not as in the backup: games: 999 rows .*\n$/);
  fs.writeFileSync(file, text.replace(/"schema": ".*"/, '"schema": "999_later.sql"'));
  const newer = await site.run("restore.ts", "--rehearse", backup);
  expect(newer.problems).toMatch(/^The backup is of a newer version \(999_later.sql\): .*\n$/);
  fs.writeFileSync(file, text);
  const change = (credits: number) =>
    site.use(({ pool }) =>
      pool.query(`set session_replication_role = replica;
        update profiles set wallet_balance_eur = wallet_balance_eur + ${credits}`),
    );
  await change(5);
  const wrong = await site.run("restore.ts", "--rehearse", await site.takeOne());
  expect(wrong).toMatchObject({ code: 1, problems: "" });
  expect(wrong.out).toMatch(/^wallet .*: balance /);
  await change(-5);
  await expectNoCopies(site);
});

test("an embedded database of another PostgreSQL is not started", async () => {
  const site = await open("embedded");
  const backup = await site.takeOne();
  const file = path.join(backup, "manifest.json");
  const text = fs.readFileSync(file, "utf8");
  fs.writeFileSync(file, text.replace(/"postgres": "\d+/, '"postgres": "17'));
  const older = await site.run("restore.ts", "--rehearse", backup);
  expect(older.problems).toMatch(/^The backup is of PostgreSQL 17\.\d+, and this is .*\n$/);
});

const asDatabase = (name: string) => `kickabout_${name.replaceAll("-", "_")}`;

const fileOf = (backup: string) =>
  fs.readdirSync(backup).find((name) => /^(database|cluster)\./.test(name))!;

/** Reads the database from before the restore. */
async function usersOf({ dataDir, kind, postgres, use }: BackupSite, former: string) {
  const read = async ({ pool }: Pick<Connection, "pool">) =>
    (await pool.query<{ id: string }>("select id from users")).rows.map(({ id }) => id);
  if (kind === "server") {
    const database = await connect({ databaseUrl: postgres!.url(former), dataDir });
    return read(database).finally(() => database.close());
  }
  const cluster = path.join(dataDir, "postgres");
  fs.renameSync(cluster, `${cluster}.now`);
  fs.renameSync(former, cluster);
  const users = await use(read);
  fs.renameSync(cluster, former);
  fs.renameSync(`${cluster}.now`, cluster);
  return users;
}

/** 22 emails in every state of waiting, a push message, one that is done, a session and a link. */
async function fillForSettling({ db, pool }: Connection) {
  const userId = await aPlayer(db);
  const add = (name: string, state: string, count: number) =>
    pool.query(
      `insert into pgboss.job (name, state, data, dead_letter)
      select $1, $2, $3, queue.dead_letter
      from pgboss.queue, generate_series(1, $4) where queue.name = $1`,
      [name, state, { kind: "account-suspended", userId }, count],
    );
  for (const [state, count] of [
    ["created", 12],
    ["retry", 6],
    ["active", 4],
  ] as const) {
    await add("mail.send", state, count);
  }
  await add("mail.send", "completed", 3);
  await add("mail.account-deleted", "created", 1);
  await add("push.send", "created", 2);
  const later = new Date(Date.now() + 3_600_000);
  await db
    .insertInto("sessions")
    .values({ id: randomUUID(), token: "t", user_id: userId, expires_at: later })
    .execute();
  await db
    .insertInto("verifications")
    .values({ id: randomUUID(), identifier: "reset:x", value: userId, expires_at: later })
    .execute();
}
