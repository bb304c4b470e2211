import { expect, test } from "vitest";
import { readUpgrade } from "#app/platform/upgrade/upgrade.server.ts";
import { dumpRows, runCommand } from "#test/commands.ts";
import { useDatabase } from "#test/db.ts";

const database = useDatabase();

const NOBODY = 65_534;
/** The steps that the former version did not know: one that loses something, and one to look at. */
const NEW_STEPS = ["archive-command", "stripe-emails"];

/** What the server says of itself is shown by a view of ours, which this database finds first. */
async function serverHas(archiveCommand: string) {
  const { database: name } = database.connection;
  await database.pool.query(`alter database ${name} set search_path = public, pg_catalog`);
  await database.pool.query(`create or replace view public.pg_settings as
    select name, case name when 'archive_command' then '${archiveCommand}' else setting end as setting
    from pg_catalog.pg_settings`);
}

/** An account of the machine that owns nothing of it, as the service's. */
const run = (...command: string[]) =>
  runCommand(database.connection, command, process.getuid?.() === 0 ? { uid: NOBODY } : {});

test("an upgrade names its steps, stops without the one that loses something, and warns of the other", async () => {
  const { steps } = await readUpgrade(database.pool);
  const former = steps.map(({ id }) => id).filter((id) => !NEW_STEPS.includes(id));
  await database.pool.query("insert into releases (release, steps) values ('2026-11-01', $1)", [
    former,
  ]);
  await serverHas("test ! -f /var/backups/wal/%f && cp %p /var/backups/wal/%f");

  const before = await dumpRows(database.pool);
  const [asked, stopped] = await Promise.all([run("upgrade-check"), run("db-migrate")]);
  expect(asked).toMatchObject({ code: 1, problems: "" });
  expect(asked.out).toMatch(
    /^From 2026-11-01 to \S+\n {2}look: stripe-emails .*\n {2}REQUIRED: archive-command .*\nNot ready: 1 required\n$/,
  );
  expect(stopped).toMatchObject({ code: 1, out: "" });
  expect(stopped.problems).toMatch(/^Nothing was changed\. .*\narchive-command: .*\n$/);
  expect(await dumpRows(database.pool)).toEqual(before);

  await serverHas("gzip < %p > /var/backups/wal/%f.gz");
  const migrated = await run("db-migrate");
  expect(migrated).toMatchObject({ code: 0, out: "Nothing to apply\n" });
  expect(migrated.problems).toMatch(/^To do for this upgrade, stripe-emails: .*\n$/);

  expect(await readUpgrade(database.pool)).toMatchObject({ steps: [] });
}, 30_000);
