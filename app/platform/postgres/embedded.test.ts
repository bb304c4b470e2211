import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { repairSymlinks, startEmbeddedPostgres, type EmbeddedPostgres } from "./embedded.server.ts";
import { isLong } from "#test/long.ts";
import { scratchFolder } from "#test/postgres.ts";
import { choosePostgresUser, findHome, isAlive } from "./embedded-home.server.ts";

type Started = Omit<EmbeddedPostgres, "release">;

let folder: string;
let cluster: string;
let leftovers: string[];
let children: ChildProcess[];

beforeEach(() => {
  children = [];
  leftovers = [];
  folder = fs.mkdtempSync(path.join(scratchFolder(), "kickabout-test-"));
  cluster = path.join(folder, "postgres");
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await expectDown();
  for (const left of [folder, ...leftovers]) fs.rmSync(left, { recursive: true, force: true });
});

describe("the embedded PostgreSQL", () => {
  test("is created once, keeps its data and serves a second process", async () => {
    const first = await startHere();
    expect(first.started).toBe(true);
    await run(first, "create table games (id int)");

    const second = await startElsewhere();
    expect(second).toMatchObject({ started: false, connection: first.connection });
    await first.release();
    await run(second, "insert into games values (1)");
    await killed(children[0]);
    await expectDown();

    const third = await startHere();
    expect(third.started).toBe(true);
    expect(await run(third, "select id from games")).toEqual([{ id: 1 }]);
    await third.release();
    expect(postmaster()).toBeNull();
  });

  test("ends with its only user, however that one ends", async () => {
    await startElsewhere();
    const pid = postmaster();
    expect(isRunning(pid)).toBe(true);
    await killed(children[0]);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
  });

  // Several processes start and end it in each of the others.
  if (!isLong) return;

  test("starts once when two processes want it at the same moment", async () => {
    for (const moment of ["before the files exist", "after"]) {
      const both = await Promise.all([startElsewhere(), startElsewhere()]);
      expect(both.map((one) => one.started).toSorted(), moment).toEqual([false, true]);
      await Promise.all(both.map((one) => run(one, "select 1")));
      expect(fs.readdirSync(path.dirname(cluster)).filter((name) => /new-/.test(name))).toEqual([]);
      await Promise.all(children.splice(0).map(killed));
      await expectDown();
    }
  });

  test("serves a process that comes while it stops", async () => {
    await startElsewhere();
    const stopping = postmaster() ?? 0;
    process.kill(stopping, "SIGSTOP");
    await killed(children[0]);
    // Until then the guard has nearly always asked it to stop; otherwise the newcomer keeps it alive.
    setTimeout(() => process.kill(stopping, "SIGCONT"), 500);
    await delay(200);
    const postgres = await startHere();
    await run(postgres, "select pg_sleep(0.2)");
    await postgres.release();
    expect(postmaster()).toBeNull();
  });

  test("is started again when it dies, by one of those who use it", async () => {
    const first = await startHere();
    const second = await startElsewhere();
    await run(first, "create table games (id int)");
    const pid = postmaster() ?? 0;
    process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(isRunning(postmaster()) && postmaster()).not.toBe(pid));
    await vi.waitFor(() => run(second, "select id from games"), { interval: 50 });
    await first.release();
    expect(await run(second, "select id from games")).toEqual([]);
    await killed(children[0]);
  });

  test("starts after everything was killed at once", async () => {
    const before = await startElsewhere();
    await run(before, "create table games (id int)");
    const pid = postmaster();
    process.kill(pid ?? 0, "SIGKILL");
    await killed(children[0]);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
    const after = await startHere();
    expect(await run(after, "select id from games")).toEqual([]);
    await after.release();
  });
});

test("library links that npm left out are made, and only those", () => {
  const links = [
    { source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" },
    { source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so" },
  ];
  fs.mkdirSync(path.join(folder, "native/lib"), { recursive: true });
  fs.writeFileSync(path.join(folder, "native/pg-symlinks.json"), JSON.stringify(links));
  fs.writeFileSync(path.join(folder, "native/lib/libpq.so.5.18"), "library");
  fs.writeFileSync(path.join(folder, "native/lib/libpq.so"), "there already");
  repairSymlinks(folder);
  repairSymlinks(folder);
  expect(fs.readlinkSync(path.join(folder, "native/lib/libpq.so.5"))).toBe("libpq.so.5.18");
  expect(fs.readFileSync(path.join(folder, "native/lib/libpq.so"), "utf8")).toBe("there already");
});

test.each([
  { isRoot: false, nobody: false, namespace: false, user: "self" },
  { isRoot: false, nobody: true, namespace: true, user: "self" },
  { isRoot: true, nobody: true, namespace: true, user: "nobody" },
  { isRoot: true, nobody: true, namespace: false, user: "nobody" },
  { isRoot: true, nobody: false, namespace: true, user: "namespace" },
  { isRoot: true, nobody: false, namespace: false, user: "relocated" },
])("root $isRoot, reached by nobody $nobody, by namespace $namespace: $user", (row) => {
  expect(choosePostgresUser(row.isRoot, (candidate) => row[candidate])).toBe(row.user);
});

test.each([
  { code: "ESRCH", owner: "us", alive: false },
  { code: "ESRCH", owner: "another user", alive: false },
  { code: "EPERM", owner: "us", alive: false },
  { code: "EPERM", owner: "another user", alive: true },
])(
  "a cluster of $owner whose process answers $code is in use: $alive",
  ({ code, owner, alive }) => {
    fs.mkdirSync(cluster);
    fs.writeFileSync(path.join(cluster, "postmaster.pid"), "4194999\n");
    const home = findHome(folder);
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error(`kill ${code}`), { code });
    });
    onTestFinished(() => void vi.restoreAllMocks());
    if (owner !== "us") vi.spyOn(process, "getuid").mockReturnValue(fs.statSync(cluster).uid + 1);
    expect(isAlive(home)).toBe(alive);
    expect(kill).toHaveBeenCalledWith(4_194_999, 0);
  },
);

async function startHere(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(folder);
  note(postgres);
  return postgres;
}

/** Starts it in a process that then holds it until it is killed. */
async function startElsewhere(): Promise<Started> {
  const module = new URL("./embedded.server.ts", import.meta.url).href;
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    console.log(JSON.stringify(await startEmbeddedPostgres(${JSON.stringify(folder)})));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const postgres = await new Promise<Started>((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(JSON.parse(String(line))));
    child.once("exit", () => reject(new Error("The other process ended.")));
  });
  note(postgres);
  return postgres;
}

/** What lies outside the folder: the socket, and for root without any other way the data. */
function note({ connection, location }: Started): void {
  leftovers.push(connection.host);
  if (!location) return;
  leftovers.push(location);
  cluster = path.join(location, "postgres");
}

async function run(postgres: Started, text: string) {
  const client = new pg.Client(postgres.connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function killed(child: ChildProcess | undefined): Promise<void> {
  if (!child?.kill("SIGKILL")) throw new Error("There is no process to kill.");
  await once(child, "exit");
}

function postmaster(): number | null {
  const file = path.join(cluster, "postmaster.pid");
  return fs.existsSync(file) ? Number.parseInt(fs.readFileSync(file, "utf8"), 10) : null;
}

function isRunning(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function expectDown(): Promise<void> {
  await vi.waitFor(() => expect(isRunning(postmaster())).toBe(false));
}
