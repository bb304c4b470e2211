import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import {
  type BackupSite,
  expectNoCopies,
  type Kind,
  KINDS,
  openBackupSite,
  RESTORES,
  SILENT,
} from "#test/backups.ts";
import { aPlayer } from "#test/fixtures.ts";
import { ownTree } from "#test/own-postgres.ts";
import { runTool } from "./backups/pg-tools.ts";
import { withBackupLock } from "./backups/store.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const sites = new Map<Kind, BackupSite>();
afterAll(() => sites.forEach((site) => site.close()));

async function open(kind: Kind): Promise<BackupSite> {
  const site = sites.get(kind) ?? (await openBackupSite(kind));
  sites.set(kind, site);
  return site;
}

test.each(KINDS)(
  "%s: a backup is one folder, says how much it holds, and restores",
  async (kind) => {
    const site = await open(kind);
    const taken = await site.run("backup.ts", site.backups);
    const [backup = ""] = site.list();
    expect(taken).toMatchObject({ code: 0, problems: "" });
    expect(taken.out).toMatch(/^\/\S+Z: \d+ rows, 1 files, took [\d.]+ s\n$/);
    expect(fs.statSync(backup).mode & 0o77).toBe(0);
    const rehearsed = await site.run("restore.ts", "--rehearse", site.backups);
    expect(rehearsed).toEqual({ code: 0, problems: "", out: expect.stringMatching(RESTORES) });
    expect(rehearsed.out).toContain(backup);
    expect(await site.run("restore.ts", "--rehearse", backup, "--quiet")).toEqual(SILENT);
    await expectNoCopies(site);
  },
);

test.each(KINDS)("%s: a backup under writes is of one moment", async (kind) => {
  const site = await open(kind);
  const userId = await site.use((database) => aPlayer(database.db));
  await site.use(async ({ db }) => {
    let isOver = false;
    let written = 0;
    const write = async () => {
      for (; !isOver; written += 1) {
        await topUp(db, { userId, amountCents: 100, key: randomUUID() });
      }
    };
    const writing = [write(), write()];
    await vi.waitFor(() => expect(written).toBeGreaterThan(10));
    const before = written;
    const backup = await site.takeOne();
    isOver = true;
    await Promise.all(writing);
    const rehearsed = await site.run("restore.ts", "--rehearse", backup);
    expect(rehearsed).toEqual({ code: 0, problems: "", out: expect.stringMatching(RESTORES) });
    const { figures } = JSON.parse(fs.readFileSync(path.join(backup, "manifest.json"), "utf8"));
    const { rows } = await sql<{ count: number }>`
      select count(*) from wallet_transactions`.execute(db);
    const missing = rows[0]!.count - figures.rows.wallet_transactions;
    expect(missing).toBeGreaterThanOrEqual(0);
    expect(missing).toBeLessThanOrEqual(written - before + 2);
  });
});

test("of two at once the second fails", async () => {
  const site = await open(KINDS.at(-1)!);
  await site.takeOne();
  const running = "A backup or restore of this database is running already\n";
  await site.use((database) =>
    withBackupLock(database, async () => {
      for (const args of [
        ["backup.ts", site.backups],
        ["restore.ts", "--rehearse", site.backups],
      ]) {
        const failed = await site.run(args[0]!, ...args.slice(1));
        expect(failed).toEqual({ code: 1, out: "", problems: running });
      }
    }),
  );
});

test("killed in the middle it leaves the others, and no half one after the next", async () => {
  const site = await open(KINDS.at(-1)!);
  await site.takeOne();
  const before = site.list();
  // Far more than the file system takes in the time of a signal.
  const many = path.join(site.dataDir, "uploads", "many");
  fs.mkdirSync(many);
  for (let i = 0; i < 3_000; i += 1) fs.writeFileSync(path.join(many, `${i}.webp`), "x");
  const child = site.start("backup.ts", [site.backups, "--keep", "90"]);
  const half = () => fs.readdirSync(site.backups).filter((name) => name.startsWith(".half-"));
  const copied = () => half().flatMap((name) => listOrNone(path.join(site.backups, name)));
  await vi.waitFor(() => expect(copied()).toContain("uploads"), { timeout: 20_000, interval: 5 });
  child.kill("SIGKILL");
  await once(child, "exit");
  fs.rmSync(many, { recursive: true });
  expect(half()).toHaveLength(1);
  expect(site.list().filter((name) => !path.basename(name).startsWith("."))).toEqual(before);
  await vi.waitFor(site.takeOne, { timeout: 20_000 });
  expect(half()).toEqual([]);
  expect(site.list().slice(0, -1)).toEqual(before);
  await expectNoCopies(site);
});

test("a failure is one line and leaves nothing", async () => {
  const site = await open(KINDS.at(-1)!);
  const before = site.list();
  fs.chmodSync(site.backups, 0o700);
  const wrong = await site.run("backup.ts", site.backups, "--keep", "none");
  expect(wrong).toMatchObject({ code: 1, out: "" });
  expect(wrong.problems).toMatch(/^--keep is .*\n$/);
  const file = path.join(site.folder, "file");
  fs.writeFileSync(file, "");
  const inFile = await site.run("backup.ts", file);
  expect(inFile).toMatchObject({ code: 1, out: "" });
  expect(inFile.problems).toMatch(/^.*\n$/);
  expect(site.list()).toEqual(before);
});

test("a server whose certificate is checked is backed up and restored as the site reads it", async () => {
  const site = await openBackupSite("server");
  onTestFinished(() => site.close());
  const { certificate, port } = await encrypt(site);
  site.env.DATABASE_URL = `postgres://kickabout@localhost:${port}/kickabout?sslmode=verify-full`;
  const unknown = await site.run("backup.ts", site.backups);
  expect(unknown).toMatchObject({ code: 1, problems: expect.stringContaining("certificate") });
  site.env.NODE_EXTRA_CA_CERTS = certificate;
  await site.takeOne();
  const rehearsed = await site.run("restore.ts", "--rehearse", site.backups, "--quiet");
  expect(rehearsed).toEqual(SILENT);
  vi.stubEnv("PATH", site.env.PATH);
  onTestFinished(() => void vi.unstubAllEnvs());
  const own = `sslrootcert=${certificate}`;
  for (const [query, trusted, ofOtherName] of [
    ["sslmode=require", false, false],
    ["ssl=true", false, false],
    [`sslmode=require&${own}`, true, false],
    [`uselibpqcompat=true&sslmode=verify-ca&${own}`, true, true],
    [`sslmode=no-verify&${own}`, true, true],
    ["uselibpqcompat=true&sslmode=require", true, true],
    ["sslmode=disable", true, true],
  ] as const) {
    // The certificate names localhost only.
    for (const [host, isTaken] of Object.entries({
      localhost: trusted,
      "127.0.0.1": ofOtherName,
    })) {
      const connectionString = `postgres://kickabout@${host}:${port}/kickabout?${query}`;
      expect(await isTakenByPg(connectionString), connectionString).toBe(isTaken);
      const dumped = runTool("pg_dump", ["--schema-only"], { connectionString });
      const dumps = dumped.then(
        () => true,
        ({ message }) => !/certificate/.test(message) && message,
      );
      expect(await dumps, connectionString).toBe(isTaken);
    }
  }
});

async function isTakenByPg(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

/** Restarts its server with TLS on loopback, by a certificate of its own. */
async function encrypt({ folder, postgres }: BackupSite) {
  const { data, start, stop } = postgres!;
  const [certificate, key] = [path.join(data, "server.crt"), path.join(data, "server.key")];
  const request = ["req", "-x509", "-nodes", "-newkey", "rsa:2048", "-keyout", key];
  const of = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync("openssl", [...request, "-out", certificate, ...of], { stdio: "ignore" });
  ownTree(data);
  const port = await freePort();
  const settings = `listen_addresses = 'localhost'\nport = ${port}\nssl = on\n`;
  fs.appendFileSync(path.join(data, "postgresql.conf"), settings);
  stop();
  start();
  const copy = path.join(folder, "authority.pem");
  fs.copyFileSync(certificate, copy);
  return { certificate: copy, port };
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, "close");
  return port;
}

const listOrNone = (folder: string) => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);
