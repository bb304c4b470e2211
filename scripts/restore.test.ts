import * as fs from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Connection } from "#app/platform/connect.server.ts";
import { type BackupSite, openBackupSite } from "#test/backups.ts";
import { restoreBackup } from "./backups/restore-backup.ts";

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

test("what ended an access since the backup stays so, and the later password is kept", async () => {
  await site.use(({ pool }) => pool.query(THEN));
  const backup = await site.takeOne();
  await site.use(({ pool }) => pool.query(SINCE));
  const restored = await site.run("restore.ts", backup, "--replace", "kickabout");
  expect(restored).toMatchObject({ code: 0, problems: "" });
  expect(restored.out).toContain("secret addresses are as they were just before\n");
  const none = { factor: null, codes: null, role: null, calendar: null, card: null };
  expect(await site.use(readAccess)).toEqual([
    {
      ...{ ...none, name: "Ada", password: "since", suspended: "Fights" },
      calendar: "calendar-address-since",
    },
    {
      ...{ ...none, name: "Ben", password: "then", suspended: null },
      ...{ factor: "since", codes: "b2", role: "admin" },
    },
  ]);
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
  const [secret, other] = ["one of the site".repeat(3), "another one".repeat(3)];
  const backup = path.join(site.folder, "with-a-secret");
  fs.cpSync(site.list().at(-1)!, backup, { recursive: true });
  fs.writeFileSync(path.join(backup, "env"), `SESSION_SECRET=${secret}\n`);
  // Without --replace it ends before anything is changed.
  site.env.SESSION_SECRET = other;
  const { out, problems } = await site.run("restore.ts", backup);
  expect(problems).toMatch(
    new RegExp(
      `^SESSION_SECRET is not that of ${backup}/env: .* emails that waited then are lost\nThe database kickabout has 2 acc`,
    ),
  );
  expect(out + problems).not.toMatch(new RegExp(`second factors|${secret}|${other}`));
  site.env.SESSION_SECRET = secret;
  const same = await site.run("restore.ts", backup);
  expect(same.problems).toMatch(/^The database kickabout has 2 accounts/);
});
