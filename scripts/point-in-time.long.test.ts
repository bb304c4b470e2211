import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { openBackupSite, readContents } from "#test/backups.ts";
import { aPlayer } from "#test/fixtures.ts";
import { ownFolder, ownTree, tool } from "#test/own-postgres.ts";

vi.setConfig({ testTimeout: 160_000 });

// The commands of docs/operations.md, "To a point in time".
test("a moment between two payments is recovered, to the row", async () => {
  const site = await openBackupSite("server");
  onTestFinished(() => site.close());
  const postgres = site.postgres!;
  const [archive, base] = [path.join(site.folder, "wal"), path.join(site.folder, "base")];
  ownFolder(archive);
  ownFolder(base);
  appendFileSync(
    path.join(postgres.data, "postgresql.conf"),
    `archive_mode = on\narchive_command = 'test ! -f ${archive}/%f.gz && gzip < %p > ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f.gz'\n`,
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
  const { rows } = await site.use(({ pool }) =>
    pool.query<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name"),
  );
  await vi.waitFor(() => expect(readdirSync(archive)).toContain(rows[0]!.name), 60_000);
  postgres.stop();

  const began = performance.now();
  renameSync(postgres.data, `${postgres.data}.before`);
  execFileSync("cp", ["-a", path.join(base, "one"), postgres.data]);
  writeFileSync(path.join(postgres.data, "recovery.signal"), "");
  appendFileSync(
    path.join(postgres.data, "postgresql.auto.conf"),
    `restore_command = 'gunzip < ${archive}/%f.gz > %p'\nrecovery_target_time = '${moment}'\n` +
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
