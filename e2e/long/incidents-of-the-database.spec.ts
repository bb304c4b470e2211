import pg from "pg";
import { administer } from "#test/postgres.ts";
import { isMet } from "../incidents/alarms.ts";
import { readIncident } from "../incidents/page.ts";
import { aComingGame, aPerson, joinGame, type Person } from "../incidents/people.ts";
import { openStage, type Stage } from "../incidents/stage.ts";
import { expect, test } from "../fixtures.ts";

/* Incidents of docs/runbook.md, each ended by the page's own commands. */
test.describe.configure({ mode: "serial", timeout: 400_000 });
const BACK = { timeout: 90_000, intervals: [500] };

let stage: Stage;
let player: Person;
test.beforeAll(async () => {
  test.setTimeout(400_000);
  stage = await openStage();
  player = await aPerson(stage, 100);
});
// No incident may end a process.
test.afterEach(() => expect(stage.units.lost).toEqual([]));
test.afterAll(() => stage?.close());

const page = async () => (await stage.ask("/events", { cookie: player.cookie })).status;
const ready = async () => (await stage.ask("/readyz")).status;
const workersLog = () => stage.units.log("kickabout-worker");

const BROKEN: Record<
  string,
  { breaks(): Promise<unknown>; code: string; ends(): Promise<unknown> }
> = {
  "the database takes no writes": {
    breaks: () => setting("alter role kickabout set default_transaction_read_only = on"),
    code: "25006",
    async ends() {
      const { out } = await stage.run(readIncident(13).steps[0]![1]);
      expect(out).toMatch(/^ f +\| on/m);
      await setting("alter role kickabout reset default_transaction_read_only");
    },
  },
  "a table is another role's": {
    breaks: () =>
      asOwner("alter table bookings owner to postgres; grant select on bookings to kickabout"),
    code: "42501",
    async ends() {
      const { out } = await stage.run(readIncident(13).steps[0]![2]);
      expect(out).toMatch(/public +\| bookings +\| postgres/);
      // As the step says it.
      await asOwner("alter table bookings owner to kickabout");
    },
  },
  "a right is revoked": {
    breaks: () => asOwner("revoke insert on bookings from kickabout"),
    code: "42501",
    async ends() {
      const { out } = await stage.run(readIncident(13).steps[0]![2]);
      expect(out).toContain("(0 rows)");
      // As the step says it.
      await asOwner("grant all on bookings to kickabout");
    },
  },
  "something holds a lock": {
    breaks: async () => void (held = await holdLock("lock table bookings in share mode")),
    code: "55P03|57014",
    async ends() {
      const [, , , who, end] = readIncident(13).steps[0]!;
      let pid = "";
      const find = async () => {
        const { out } = await stage.run(who);
        pid = /\{(\d+)\}/.exec(out)?.[1] ?? "";
        return pid;
      };
      await expect.poll(find, BACK).not.toBe("");
      expect((await stage.run(end, { PID: pid })).status).toBe(0);
      await held.ended;
    },
  },
};
let held: Awaited<ReturnType<typeof holdLock>>;

for (const [what, { breaks, code, ends }] of Object.entries(BROKEN)) {
  test(`13, bookings fail while pages look well: ${what}`, async () => {
    const { steps, over } = readIncident(13);
    const [why] = steps[0]!;
    const age = async () => (await stage.run(over[0])).out;
    await expect.poll(age, BACK).toMatch(/^kickabout_canary_age_seconds \d(\.|$)/m);
    const gameId = await aComingGame(stage);
    const brokenAt = performance.now();
    await breaks();
    const since = () => Math.round((performance.now() - brokenAt) / 1_000);
    await expect
      .poll(async () => isMet("KickaboutActionsFail", await stage.scrape()), {
        timeout: 90_000,
        intervals: [1_000],
      })
      .toBe(true);
    const met = since();
    process.stdout.write(`${what}: the alert's condition is met after ${met} s\n`);
    // A scrape and an evaluation come on top, 15 s each.
    expect(met).toBeLessThanOrEqual(60);
    expect(await ready()).toBe(200);
    expect(await page()).toBe(200);
    const joined = await joinGame(stage, player, gameId);
    expect(joined.status).toBeGreaterThanOrEqual(500);
    expect((await stage.run(why)).out).toMatch(new RegExp(`"code":"(${code})"`));
    await ends();
    await expect
      .poll(async () => isMet("KickaboutActionsFail", await stage.scrape()), BACK)
      .toBe(false);
    await expect.poll(age, BACK).toMatch(/^kickabout_canary_age_seconds [12]?\d(\.|$)/m);
    expect((await stage.run(over[1])).status).toBe(0);
    const again = await joinGame(stage, player, gameId);
    expect(again.status).toBe(302);
  });
}

test("1, the database is down", async () => {
  const { steps, over } = readIncident(1);
  const [online, log, start] = steps[0]!;
  stage.postgres.stop();
  await expect.poll(ready, BACK).toBe(503);
  expect((await stage.ask("/readyz")).body).toBe("no database");
  expect(await page()).toBe(503);
  await expect
    .poll(async () => isMet("KickaboutDatabaseDown", await stage.scrape()), BACK)
    .toBe(true);
  await expect.poll(workersLog, BACK).toContain("jobs paused: the database does not answer");

  expect((await stage.run(online)).out).toMatch(/^17 +main .*\bdown\b/m);
  expect((await stage.run(log)).out).toContain("database system is shut down");
  expect((await stage.run(start)).status).toBe(0);
  expect((await stage.run(online)).out).toMatch(/^17 +main .*\bonline\b/m);

  await expect.poll(ready, BACK).toBe(200);
  await expect.poll(workersLog, BACK).toContain("jobs resumed: the database answers again");
  expect((await stage.run(over[0])).status).toBe(0);
  await expect
    .poll(async () => isMet("KickaboutDatabaseDown", await stage.scrape()), BACK)
    .toBe(false);
});

test("1, the database is busy", async () => {
  const [, , , who, end] = readIncident(1).steps[0]!;
  const stuck = await holdLock("lock table games");
  await expect.poll(page, BACK).toBe(503);
  const { out } = await stage.run(who);
  const longest = out.split("\n").find((line) => line.includes("pg_sleep(600)"));
  const pid = Number.parseInt(longest!);
  expect((await stage.run(end, { PID: pid })).status).toBe(0);
  await stuck.ended;
  await expect.poll(page, BACK).toBe(200);
});

const asOwner = (statement: string) => administer(stage.superuser, statement);

/** Of new connections: the processes open theirs again. */
async function setting(statement: string) {
  await asOwner(statement);
  await asOwner(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'kickabout-requests%'",
  );
}

/** Somebody's psql that was left open. */
async function holdLock(lock: string) {
  const client = new pg.Client({ connectionString: stage.postgres.url("kickabout", "kickabout") });
  client.on("error", () => {});
  await client.connect();
  await client.query("begin");
  await client.query(lock);
  const ended = client.query("select pg_sleep(600)").catch(() => {});
  return { ended };
}
