import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Connection } from "#app/platform/connect.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { type BackupSite, openBackupSite, readContents } from "#test/backups.ts";
import { aPlayer } from "#test/fixtures.ts";
import { restoreBackup } from "./backups/restore-backup.ts";

// Of one backup; {backup,restore}{,-cases}.long.test.ts have the other cases, also of a PostgreSQL server.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let site: BackupSite;
beforeAll(async () => {
  site = await openBackupSite("embedded");
});
afterAll(() => site?.close());

const idOf = (name: string) => `(select user_id from profiles where first_name = '${name}')`;

const ACCESS = sql<Record<string, string | null>>`
  select first_name as name, password, secret as factor, role, suspended_reason as suspended,
    (select string_agg(code_hash, ' ') from recovery_codes where user_id = users.id) as codes,
    calendar_feeds.token as calendar, shared_cards.token as card
  from users join profiles on profiles.user_id = users.id
    join accounts on accounts.user_id = users.id
    left join second_factors on second_factors.user_id = users.id
    left join user_roles on user_roles.user_id = users.id
    left join calendar_feeds on calendar_feeds.user_id = users.id
    left join shared_cards on shared_cards.user_id = users.id
  order by first_name`;

const THEN = `
  update accounts set password = 'then', updated_at = '2026-01-02';
  insert into second_factors values (${idOf("Ada")}, 'then', 1);
  insert into recovery_codes values (${idOf("Ada")}, 'a1');
  insert into user_roles values (${idOf("Ada")}, 'admin');
  insert into calendar_feeds values (${idOf("Ada")}, 'calendar-address-then1');
  insert into shared_cards values (${idOf("Ada")}, 'address-of-card--then1')`;

const SINCE = `
  delete from second_factors; delete from user_roles; delete from shared_cards;
  update accounts set password = 'since', updated_at = '2026-01-03' where user_id = ${idOf("Ada")};
  update accounts set password = 'before', updated_at = '2026-01-01' where user_id = ${idOf("Ben")};
  update calendar_feeds set token = 'calendar-address-since';
  update users set suspended_at = now(), suspended_reason = 'Fights' where id = ${idOf("Ada")};
  insert into second_factors values (${idOf("Ben")}, 'since', 1);
  insert into recovery_codes values (${idOf("Ben")}, 'b2');
  insert into user_roles values (${idOf("Ben")}, 'admin')`;

const readAccess = ({ db }: Connection) => ACCESS.execute(db).then(({ rows }) => rows);

/** What an access is made of: it is not as in the backup. */
const OF_ACCESS = [
  ...["accounts", "users", "second_factors", "recovery_codes", "user_roles"],
  ...["calendar_feeds", "shared_cards"],
];
const readOthers = async (database: Connection) => {
  const contents = Object.entries(await readContents(database));
  return contents.filter(([table]) => !OF_ACCESS.includes(table));
};
const [SECRET, OTHER] = ["one of the site".repeat(3), "another one".repeat(3)];

test("what ended an access since the backup stays so, the later password is kept, and all else is as it was", async () => {
  const before = await site.use(async (database) => {
    await database.pool.query(THEN);
    return readOthers(database);
  });
  const backup = await site.takeOne();
  fs.writeFileSync(path.join(backup, "env"), `SESSION_SECRET=${SECRET}\n`);
  await site.use(async ({ db, pool }) => {
    await pool.query(SINCE);
    await aPlayer(db, { name: "Later" });
  });
  fs.rmSync(site.picture);
  site.env.SESSION_SECRET = SECRET;
  const restored = await site.run("restore.ts", backup, "--replace", "kickabout");
  expect(restored).toMatchObject({ code: 0, problems: "" });
  expect(restored.out).toContain("secret addresses are as they were just before\n");
  const none = { factor: null, codes: null, role: null, calendar: null, card: null };
  const after = await site.use(async (database) => {
    return { access: await readAccess(database), others: await readOthers(database) };
  });
  expect(after.access).toEqual([
    {
      ...{ ...none, name: "Ada", password: "since", suspended: "Fights" },
      calendar: "calendar-address-since",
    },
    {
      ...{ ...none, name: "Ben", password: "then", suspended: null },
      ...{ factor: "since", codes: "b2", role: "admin" },
    },
  ]);
  expect(after.others).toEqual(before);
  expect(fs.readFileSync(site.picture, "utf8")).toBe("a picture");
});

test("a site on another host stops a restore, though its process has the number of the restore's", async () => {
  const backup = site.list().at(-1)!;
  const place = { databaseUrl: undefined, dataDir: site.dataDir };
  await site.use(async (database) => {
    const { host, port, user, database: name } = database.pool.options;
    const application_name = `kickabout-requests-elsewhere/${process.pid}`;
    const elsewhere = new pg.Client({ host, port, user, database: name, application_name });
    await elsewhere.connect();
    const restoring = { backup, replace: "kickabout", now: new Date() };
    const rejected = restoreBackup(place, database, restoring).finally(() => elsewhere.end());
    await expect(rejected).rejects.toThrow(/^Stop every process first: 1 connections to kickabout/);
  });
});

test("a restore with another SESSION_SECRET than the backup's says so before it begins", async () => {
  onTestFinished(() => void delete site.env.SESSION_SECRET);
  const backup = site.list().at(-1)!;
  // Without --replace it ends before anything is changed.
  site.env.SESSION_SECRET = OTHER;
  const rejected = await site.run("restore.ts", backup);
  const out = `In the embedded database of ${site.dataDir}:\n`;
  expect(rejected).toMatchObject({ code: 1, out });
  expect(rejected.problems).toMatch(
    new RegExp(
      `^SESSION_SECRET is not that of ${backup}/env: .* emails that waited then are lost\nThe database kickabout has 2 accounts.*\n$`,
    ),
  );
  expect(out + rejected.problems).not.toMatch(new RegExp(`second factors|${SECRET}|${OTHER}`));
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
