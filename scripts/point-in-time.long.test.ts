import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { archiveCommands } from "#test/archive.ts";
import { openBackupSite, readContents } from "#test/backups.ts";
import { aPlayer } from "#test/fixtures.ts";
import { ownFolder, ownTree, tool } from "#test/own-postgres.ts";

vi.setConfig({ testTimeout: 160_000 });

test("a moment between two payments is recovered, to the row", async () => {
  const site = await openBackupSite("server");
  onTestFinished(() => site.close());
  const postgres = site.postgres!;
  const [archive, base] = [path.join(site.folder, "wal"), path.join(site.folder, "base")];
  const commands = archiveCommands(site.folder);
  ownFolder(archive);
  ownFolder(base);
  appendFileSync(
    path.join(postgres.data, "postgresql.conf"),
    `archive_mode = on\narchive_command = '${commands.archive}'\n`,
  );
  postgres.stop();
  postgres.start();
  const socket = path.dirname(postgres.data);
  tool(
    "pg_basebackup",
    `--host=${socket}`,
    "--username=kickabout",
    `--pgdata=${base}/one`,
    "--checkpoint=fast",
  );

  const pay = async (key: string) =>
    site.use(async ({ db }) => {
      const userId = await aPlayer(db, { name: key });
      await topUp(db, { userId, amountCents: 900, key });
    });
  /** Ends the file that changes are written to, and waits until it is archived. */
  const switchFile = async () => {
    const { rows } = await site.use(({ pool }) =>
      pool.query<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name"),
    );
    const { name } = rows[0]!;
    const notes = path.join(postgres.data, "pg_wal", "archive_status");
    const done = () => expect(readdirSync(notes)).toContain(`${name}.done`);
    await vi.waitFor(done, 60_000);
    return name;
  };
  await pay("before");
  const [contents, moment] = await site.use(async (database) => {
    const contents = await readContents(database);
    const { rows } = await database.pool.query<{ now: string }>(
      "select clock_timestamp()::text as now",
    );
    return [contents, rows[0]!.now] as const;
  });
  await pay("after");
  expect(await site.use(readContents)).not.toEqual(contents);
  const archived = await switchFile();
  // Leaves what a crash does before PostgreSQL had noted it: it goes on with what comes next.
  const note = path.join(postgres.data, "pg_wal", "archive_status", archived);
  renameSync(`${note}.done`, `${note}.ready`);
  await pay("later");
  await switchFile();
  expect(existsSync(`${note}.done`)).toBe(true);
  postgres.stop();

  const began = performance.now();
  renameSync(postgres.data, `${postgres.data}.before`);
  execFileSync("cp", ["-a", path.join(base, "one"), postgres.data]);
  writeFileSync(path.join(postgres.data, "recovery.signal"), "");
  appendFileSync(
    path.join(postgres.data, "postgresql.auto.conf"),
    `restore_command = '${commands.restore}'\nrecovery_target_time = '${moment}'\n` +
      "recovery_target_action = promote\n",
  );
  ownTree(postgres.data);
  postgres.start();
  await vi.waitFor(
    () =>
      site.use(async ({ pool }) => {
        const recovering = await pool.query("select pg_is_in_recovery() as is");
        expect(recovering.rows).toEqual([{ is: false }]);
      }),
    { timeout: 60_000, interval: 100 },
  );
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`recovered to ${moment} in ${seconds} s`);
  expect(await site.use(readContents)).toEqual(contents);
  const settled = await site.run("restore.ts", "--recovered");
  expect(settled).toMatchObject({ code: 0, problems: "" });
  expect(await site.run("check-ledger.ts", "--quiet")).toEqual({
    code: 0,
    out: "",
    problems: "",
  });
});
