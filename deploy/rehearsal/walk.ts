import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import * as player from "./first-game.ts";
import { startLoad } from "./load.ts";
import { checkLosses } from "./losses.ts";
import { runImage } from "./image.ts";
import { openOutside, STRIPE_MODULE } from "./outside.ts";
import { checkAlerting } from "./alerting.ts";
import { adapt, type Block, isDownload, readBlocks, unusedDifferences } from "./page.ts";
import { checkProxy, until } from "./proxy.ts";
import { inStage } from "./stage.ts";

const PID = Number(process.env.STAGE_PID);
const ROOT = `/proc/${PID}/root`;
const CA = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt";
const ADMIN = "admin@uni.example";
const SECRET = "whsec_SECRET";
/** So that the next version has scripts and styles of other names. */
const CHANGE = `sed --in-place 's/Something went wrong/Something is wrong/' app/routes/error-screens.tsx
echo '.next-version { color: red }' >> app/app.css`;

const outside = await openOutside();
await prepare();
const blocks = readBlocks();
assert.deepEqual(unusedDifferences(blocks), []);
const titled = (title: string) => blocks.filter((block) => block.title === title);
const numbered = (n: number) => blocks.filter((block) => block.title.startsWith(`${n}. `));

for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9]) for (const block of numbered(n)) await run(block);
const ca = readFileSync(ROOT + CA, "utf8");
const { client: admin, link } = await player.signUp(ca, outside, ADMIN, false);
const early = await stage("kickabout make-admin -- admin@uni.example");
assert.match(early.out, /not confirmed/);
await player.confirmAddress(admin, link);
for (const block of numbered(10)) await run(block);
const gameId = await player.addGame(admin);
const { client: guest } = await player.signUp(ca, outside, "guest@uni.example");
await player.buyCredits(guest, outside, SECRET);
await player.joinGame(guest, gameId);
for (const block of numbered(11)) assert.equal(await run(block), "");
await checkAlerting(stage, outside);
await checkCron();
await checkProxy(ca, stage, gameId);
await checkMetrics();
await upgrade();
await checkLosses(stage, () => startLoad(ca, guest, gameId));
await runImage(stage);
process.stdout.write("\nThe page leads from an empty server to a booked game.\n");
process.exit(0);

async function prepare() {
  const bundle = path.join(ROOT, "root", "kickabout.bundle");
  const made = spawnSync("git", ["bundle", "create", bundle, "HEAD"], { cwd: projectRoot });
  assert.equal(made.status, 0, String(made.stderr));
  writeFileSync(path.join(ROOT, "opt", "fake-stripe.mjs"), STRIPE_MODULE);
  // What is deleted afterwards need not be on the disk.
  writeFileSync(path.join(ROOT, "etc/dpkg/dpkg.cfg.d/unsafe-io"), "force-unsafe-io\n");
  writeFileSync(path.join(ROOT, "etc", "hosts"), "127.0.0.1 localhost kickabout.example\n");
  copyFileSync("/etc/resolv.conf", path.join(ROOT, "etc", "resolv.conf"));
  copyFileSync("/etc/ssl/certs/ca-certificates.crt", path.join(ROOT, "root", "outside.crt"));
}

/** Runs a block as the page has it, apart from what page.ts lists; throws where a command fails. */
async function run({ title, script }: Block): Promise<string> {
  process.stdout.write(`▸ ${title}\n`);
  const begun = performance.now();
  const { status, out } = await stage(adapt(script), isDownload(script));
  if (status !== 0)
    throw new Error(`${script}
${out.slice(-3_000)}
${await journal()}`);
  process.stdout.write(`  ok in ${((performance.now() - begun) / 1_000).toFixed(1)} s\n`);
  return out;
}

function commandIn(script: string, isOutside: boolean): string[] {
  const own = isOutside
    ? "npm_config_cafile=/root/outside.crt"
    : "NODE_OPTIONS=--import=/opt/fake-stripe.mjs";
  const variables = [
    ...["HOME=/root", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    ...["DEBIAN_FRONTEND=noninteractive", own],
  ];
  const networkOf = isOutside ? Number(process.env.OUTSIDE) : PID;
  const strict = `set -euo pipefail; cd /root\n${script}`;
  return [...inStage(PID, networkOf), "env", "-i", ...variables, "bash", "-c", strict];
}

/** Beside what happens in this process, which is the internet meanwhile. */
async function stage(script: string, isOutside = false) {
  const [program = "", ...args] = commandIn(script, isOutside);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (out += chunk.toString()));
  }
  const [status] = (await once(child, "close")) as [number | null];
  return { status, out };
}

async function journal(): Promise<string> {
  return (await stage("systemctl --failed --no-pager; journalctl --no-pager --lines=60")).out;
}

/** Each line as cron would run it: silent, and not silent about a wallet that is wrong. */
async function checkCron() {
  process.stdout.write("▸ the lines for cron\n");
  const lines = readFileSync(path.join(ROOT, "etc/cron.d/kickabout"), "utf8").split("\n");
  const jobs = lines
    .map((line) => /^\d(?:\S* ){4}\S+ (\S+)\s+(.+)$/.exec(line))
    .filter((job) => job !== null);
  assert.equal(jobs.length, 4);
  const outcomes = async () => {
    const found = [];
    for (const [, user, command] of jobs) found.push(await asCron(user!, command!));
    return found;
  };
  const silent = jobs.map(() => ({ status: 0, out: "" }));
  assert.deepEqual(await outcomes(), silent);
  const addToWallets = (credits: number) =>
    stage(`runuser -u postgres -- psql -qd kickabout -c "set session_replication_role = replica;
      update profiles set wallet_balance_eur = wallet_balance_eur + ${credits}"`);
  assert.deepEqual(await addToWallets(7), { status: 0, out: "" });
  const wrong = (await outcomes()).filter(({ out }) => out !== "");
  assert.deepEqual(
    wrong.map(({ status }) => status),
    // The check, and the rehearsal of the backup that was just made.
    [1, 1],
  );
  process.stdout.write(`  with wrong wallets: ${wrong[0]!.out.trim()}\n`);
  await addToWallets(-7);
  assert.deepEqual(await outcomes(), silent);
}

function asCron(user: string, command: string) {
  const text = command.replaceAll("\\%", "%").replaceAll("'", "'\\''");
  const home = `$(getent passwd ${user} | cut -d: -f6)`;
  const own = `PATH=/usr/local/bin:/usr/sbin:/usr/bin:/bin NODE_OPTIONS="$NODE_OPTIONS" HOME=${home}`;
  return stage(`cd /; runuser -u ${user} -- env -i ${own} sh -c '${text}'`);
}

/** Each target of the example for Prometheus is a process of its own, with its own metrics. */
async function checkMetrics() {
  process.stdout.write("▸ the metrics\n");
  // Which all processes read, and none of them may use.
  const again = await stage(`echo METRICS_PORT=9464 >> /etc/kickabout.env
    systemctl restart kickabout-web@3001 kickabout-web@3002 kickabout-worker`);
  assert.equal(again.status, 0, again.out);
  const example = path.join(projectRoot, "deploy/prometheus/prometheus.yml");
  const [, targets = ""] = /^ +- targets: \[(.*)\]$/m.exec(readFileSync(example, "utf8")) ?? [];
  const ports = Array.from(targets.matchAll(/:(\d+)/g), ([, port]) => port!);
  const scrape = async (port: string) => (await stage(`curl -sS localhost:${port}/metrics`)).out;
  assert.equal(ports.length, 3);
  for (const port of ports) {
    await until(async () => /^kickabout_database_up 1$/m.test(await scrape(port)));
  }
  const { out } = await stage("journalctl --no-pager --unit='kickabout-*'");
  assert.ok(!out.includes("metrics are not served"));
}

/** The last section: a backup and the next version first, then the change to it under load. */
async function upgrade() {
  const [backup, prepare, change] = titled("Upgrade");
  await run(backup!);
  await run({ ...prepare!, script: prepare!.script.replace("npm run build", `${CHANGE}\n$&`) });
  const turns = await underLoad(() => run({ ...change!, title: "Upgrade, under load" }));
  assert.deepEqual(turns.failures, []);
  // The control: both at once do fail.
  const together = await underLoad(() =>
    stage("systemctl restart kickabout-web@3001 kickabout-web@3002"),
  );
  assert.ok(together.failures.length > 0);
}

async function underLoad(act: () => Promise<unknown>) {
  const load = startLoad(ca, guest, gameId);
  try {
    await act();
  } finally {
    const { failures, ...rest } = await load.stop();
    const found = [...new Set(failures)].slice(0, 5);
    process.stdout.write(`  ${JSON.stringify({ ...rest, failed: failures.length, found })}\n`);
  }
  return load.stop();
}
