import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { isMet } from "../incidents/alarms.ts";
import { readIncident } from "../incidents/page.ts";
import { aPayment, purchasesOf } from "../incidents/payments.ts";
import { aComingGame, aPerson, joinGame, type Person } from "../incidents/people.ts";
import { openStage, type Stage } from "../incidents/stage.ts";
import { addBadVersion } from "../incidents/versions.ts";
import { expect, test } from "../fixtures.ts";

/* Incidents of docs/runbook.md, each ended by the page's own commands. */
test.describe.configure({ mode: "serial", timeout: 400_000 });
const VISITS = 30;

let stage: Stage;
let player: Person;
let gameId: string;
test.beforeAll(async () => {
  test.setTimeout(400_000);
  stage = await openStage();
  for (const folder of ["etc/systemd/system", "etc/cron.d"]) {
    mkdirSync(stage.at(folder), { recursive: true });
  }
  cpSync(path.join(projectRoot, "deploy/cron/kickabout"), stage.at("etc/cron.d/kickabout"));
  await stage.run(readIncident(4).steps[0]![2]);
  player = await aPerson(stage, 100);
  gameId = await aComingGame(stage);
});
// No incident may end a process.
test.afterEach(() => expect(stage.units.lost).toEqual([]));
test.afterAll(() => stage?.close());

const page = async () => (await stage.ask("/events", { cookie: player.cookie })).status;
const units = () => readFileSync(stage.at("etc/systemd/system/kickabout-worker.service"), "utf8");
const majors = async () => {
  const profiles = stage.database.db.selectFrom("profiles").select("major").distinct();
  return (await profiles.execute()).map(({ major }) => major);
};

test("11, a bad version is out: the version before is put back", async () => {
  const { steps, over } = readIncident(11);
  const [old, migrations, changed, units1, reload, current, first, second, worker] = steps[0]!;
  expect(await page()).toBe(200);
  const before = await majors();
  await upgrade();
  expect(await page()).toBe(500);
  const begun = await stage.scrape();
  for (let n = 0; n < VISITS; n += 1) expect(await page()).toBe(500);
  expect(isMet("KickaboutErrors", begun, await stage.scrape())).toBe(true);
  const log = stage.units.log("kickabout-web@3001");
  const [, failure] = /"route":"\/events","status":500,"failure":"(\w+)"/.exec(log)!;
  expect(log).toMatch(new RegExp(`"level":50.*"failure":"${failure}".*"a bad version"`));
  expect(await majors()).not.toEqual(before);

  const { out } = await stage.run(old);
  const OLD = out.trim();
  expect((await stage.run(migrations, { OLD })).out).toMatch(/db\/migrations\/\d+_mood\.sql/);
  expect((await stage.run(changed, { OLD })).out).toContain("kickabout-worker.service");
  expect(units()).toContain("Nice=5");
  for (const command of [units1, reload, current, first, second, worker]) {
    expect((await stage.run(command)).status).toBe(0);
  }
  expect(units()).not.toContain("Nice=5");

  expect(await page()).toBe(200);
  const calm = await stage.scrape();
  for (let n = 0; n < VISITS; n += 1) expect(await page()).toBe(200);
  expect(isMet("KickaboutErrors", calm, await stage.scrape())).toBe(false);
  await joinAndCancel();
  expect((await stage.run(over[0])).status).toBe(0);
});

test("11, a bad version is out: it has spoilt rows, and a backup is restored", async () => {
  const { steps, over } = readIncident(11);
  const [noCron, stop, current, which, restore, start, cron, payments] = steps[1]!;
  expect(await majors()).toEqual(["undefined"]);
  // Bought since the backup.
  const bought = await aPayment(stage, player.userId);
  expect(await stage.deliver(bought.completed)).toBe(200);
  expect(await purchasesOf(stage, player)).toEqual([bought.id]);

  for (const command of [noCron, stop, current]) {
    expect((await stage.run(command)).status).toBe(0);
  }
  expect(existsSync(stage.at("etc/cron.d/kickabout"))).toBe(false);
  const NAME = (await stage.run(which)).out.trim();
  await stage.closeDatabase();
  const restored = await stage.run(restore, { NAME });
  await stage.openDatabase();
  expect(restored).toMatchObject({ status: 0 });
  expect(restored.out).toContain("drop it when all is well");
  expect((await stage.run(start)).status).toBe(0);
  expect((await stage.run(cron)).status).toBe(0);
  expect(existsSync(stage.at("etc/cron.d/kickabout"))).toBe(true);
  expect(await purchasesOf(stage, player)).toEqual([]);
  expect((await stage.run(payments)).status).toBe(0);
  expect(await purchasesOf(stage, player)).toEqual([bought.id]);

  expect(await majors()).not.toContain("undefined");
  // Everybody signs in again.
  expect(await page()).toBe(302);
  player.cookie = await stage.cookieOf(player.userId);
  expect(await page()).toBe(200);
  await joinAndCancel();
  expect((await stage.run(over[0])).status).toBe(0);
});

/** Follows docs/deploy.md: a backup, the next version in its own folder, then the change to it. */
async function upgrade() {
  expect((await stage.run("kickabout backup -- /var/backups/kickabout")).status).toBe(0);
  expect(readdirSync(stage.at("var/backups/kickabout"))).toHaveLength(1);
  addBadVersion(stage);
  const commands = [
    "ln --symbolic --force --no-dereference /opt/kickabout/2 /opt/kickabout/current",
    "kickabout db:migrate",
    "cp /opt/kickabout/2/deploy/systemd/*.service /etc/systemd/system/",
    "systemctl daemon-reload",
    "systemctl restart kickabout-web@3001",
    "systemctl restart kickabout-web@3002",
    "systemctl restart kickabout-worker",
  ];
  for (const command of commands) expect((await stage.run(command)).status).toBe(0);
}

async function joinAndCancel() {
  expect((await joinGame(stage, player, gameId)).status).toBe(302);
  const { cookie } = player;
  expect((await stage.submit("/bookings", cookie, "cancel")).status).toBe(302);
}
