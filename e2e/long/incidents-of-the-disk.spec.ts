import { archiveCommands } from "#test/archive.ts";
import { administer } from "#test/postgres.ts";
import { isMet } from "../incidents/alarms.ts";
import { readIncident } from "../incidents/page.ts";
import { aPayment, purchasesOf } from "../incidents/payments.ts";
import { aComingGame, aPerson, joinGame, type Person } from "../incidents/people.ts";
import { diskSamples } from "../incidents/small-disk.ts";
import { openStage, type Stage } from "../incidents/stage.ts";
import { expect, test } from "../fixtures.ts";

/* Incidents of docs/runbook.md, each ended by the page's own commands. */
test.describe.configure({ mode: "serial", timeout: 400_000 });
const BACK = { timeout: 120_000, intervals: [500] };

let stage: Stage;
let player: Person;
/** Coming ones, which the player joins one after another: rows and log grow. */
const games: string[] = [];
test.beforeAll(async () => {
  test.setTimeout(400_000);
  stage = await openStage({
    diskMb: 400,
    // Small in proportion to the disk, as the usual ones are to 40 GB.
    postgresSettings: [
      ...["max_wal_size = 64MB", "min_wal_size = 32MB"],
      ...["archive_mode = on", "archive_command = '/bin/true'"],
    ],
  });
  await stage.run(readIncident(4).steps[0]![2]);
  player = await aPerson(stage, 1_000);
  for (let n = 0; n < 100; n += 1) games.push(await aComingGame(stage));
});
// No incident may end a process.
test.afterEach(() => expect(stage.units.lost).toEqual([]));
test.afterAll(() => stage?.close());

const webLog = () => stage.units.log("kickabout-web@3001");
const OLDEST = "/var/backups/kickabout/kickabout-2026-01-01T044500.000Z";

test("2, the disk is full", async () => {
  const { steps, over } = readIncident(2);
  const [which, pictures, large, start] = steps[0]!;
  const [books, backup] = over;
  const [gameId] = games;
  const missed = await aPayment(stage, player.userId);
  expect((await stage.ask(`/events/${gameId}/social.png`)).status).toBe(200);
  await stage.run(`mkdir ${OLDEST}`);
  expect(isDiskAlarmMet()).toBe(false);
  const before = await aPayment(stage, player.userId);
  expect(await stage.deliver(before.completed)).toBe(200);

  // A database like any, and a backup of it that is too large for what is left.
  await fill("95%");
  expect(isDiskAlarmMet()).toBe(true);
  expect(await joins()).toBe(302);
  await fill("100%");
  const isFull = async () => {
    await fill("100%");
    return joins();
  };
  await expect.poll(isFull, BACK).toBe(503);
  await expect
    .poll(async () => isMet("KickaboutActionsFail", await stage.scrape()), BACK)
    .toBe(true);
  expect(webLog()).toMatch(/"code":"53100"|could not write init file/);
  expect(await postgresLog()).toContain("No space left on device");
  // What Stripe delivers meanwhile it delivers again.
  expect(await stage.deliver(missed.completed)).toBeGreaterThanOrEqual(500);

  expect((await stage.run(which)).out).toMatch(/100% /);
  // Its log needs another file, and it stops.
  await expect.poll(isStoppedByItsLog, BACK).toBe(true);
  expect((await stage.run(pictures)).status).toBe(0);
  expect((await stage.run(large)).out).toMatch(/M\t.*kickabout-2026-01-01/);
  await stage.run(`rm --recursive ${OLDEST}`);
  expect((await stage.run(start)).status).toBe(0);

  await expect.poll(joins, BACK).toBe(302);
  await expect
    .poll(async () => isMet("KickaboutActionsFail", await stage.scrape()), BACK)
    .toBe(false);
  expect(isDiskAlarmMet()).toBe(false);
  expect((await stage.run(books)).status).toBe(0);
  expect((await stage.run(backup)).status).toBe(0);
  expect(await stage.deliver(missed.completed)).toBe(200);
  expect(await purchasesOf(stage, player)).toEqual([before.id, missed.id].sort());
  expect((await stage.ask(`/events/${gameId}/social.png`)).status).toBe(200);
});

test("2, the archive has another file of that name, and what waits for it fills the disk", async () => {
  const { steps, over } = readIncident(2);
  const [, , , , fails, compare, aside] = steps[0]!;
  await stage.run("mkdir --mode=777 /var/backups/postgres /var/backups/postgres/wal");
  const { rows } = await stage.database.pool.query<{ name: string }>(
    "select pg_walfile_name(pg_current_wal_lsn()) as name",
  );
  const values = { NAME: rows[0]!.name };
  const archived = `/var/backups/postgres/wal/${values.NAME}.gz`;
  await stage.run(`echo 'of another server' | gzip > ${archived}`);
  const { archive } = archiveCommands(stage.at("var/backups/postgres"));
  await asSuperuser(`alter system set archive_command = '${archive}'`);
  await asSuperuser("select pg_reload_conf()");
  const grow = async () => {
    await asSuperuser("select pg_logical_emit_message(true, 'grows', ''), pg_switch_wal()");
    return isDiskAlarmMet();
  };
  await expect.poll(grow, { ...BACK, intervals: [10] }).toBe(true);
  await expect.poll(async () => (await stage.run(fails)).out, BACK).toContain(values.NAME);
  expect((await stage.run(compare, values)).status).toBe(1);

  expect((await stage.run(aside, values)).status).toBe(0);
  await expect.poll(async () => (await stage.run(`ls ${archived}`)).status, BACK).toBe(0);
  expect(await stage.run(compare, values)).toEqual({ status: 0, out: "", problems: "" });
  // What is archived goes with the next checkpoint, which PostgreSQL makes every five minutes.
  const isOver = async () => {
    await asSuperuser("checkpoint");
    return !isDiskAlarmMet();
  };
  await expect.poll(isOver, BACK).toBe(true);
  expect(await joins()).toBe(302);
  for (const command of over) expect((await stage.run(command)).status).toBe(0);
});

const asSuperuser = (statement: string) => administer(stage.superuser, statement);

const isDiskAlarmMet = () =>
  isMet("KickaboutDiskFull", diskSamples(stage.disk!, stage.at("var/lib/kickabout")));

const postgresLog = async () => (await stage.run(readIncident(1).steps[0]![1])).out;
async function isStoppedByItsLog() {
  await asSuperuser("select pg_switch_wal()").catch(() => {});
  return (await stage.run(readIncident(1).steps[0]![0])).out.includes("down");
}

async function joins() {
  const { status } = await joinGame(stage, player, games[0]!);
  if (status === 302) games.shift();
  return status;
}

/** The backup that is made grows, until so much of the disk is used. */
async function fill(share: "95%" | "100%") {
  const used = `df --output=pcent /var/lib/kickabout | tail --lines=1`;
  const grow = `head --bytes=1M /dev/zero >> ${OLDEST}/database.dump`;
  await stage.run(
    share === "100%"
      ? `while head --bytes=64K /dev/zero >> ${OLDEST}/database.dump; do :; done 2> /dev/null`
      : `while [ $(${used} | tr -d ' %') -lt 95 ]; do ${grow}; done`,
  );
}
