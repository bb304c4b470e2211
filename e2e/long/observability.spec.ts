import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#app/platform/postgres/embedded.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { type SilentProxy, startSilentProxy } from "#test/database-proxies.ts";
import { administer, at, urlOf } from "#test/postgres.ts";
import { readScrape } from "#test/scrapes.ts";
import { expect, type Page, test } from "../fixtures.ts";
import {
  endWith,
  freePort,
  newDataDir,
  sessionCookie,
  signInAs,
  spawnServer,
  untilReady,
} from "../site.ts";

/** What an operator sees of a server whose database can be taken away. */
test.describe("an operator", () => {
  test.describe.configure({ mode: "serial" });
  let lines: Record<string, unknown>[];
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let proxy: SilentProxy;
  let database: Connection;
  let server: ChildProcess;
  let url: string;
  let metrics: string;

  test.beforeAll(async () => {
    dataDir = newDataDir();
    postgres = await startEmbeddedPostgres(dataDir);
    proxy = await startSilentProxy(postgres.connection);
    const [port, metricsPort] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${port}`;
    metrics = `http://127.0.0.1:${metricsPort}/metrics`;
    const env = { METRICS_PORT: `${metricsPort}`, LOG_LEVEL: "info" };
    const DATABASE_URL = urlOf(proxy.connection).replace("localhost", "127.0.0.1");
    server = spawnServer(dataDir, port, { ...env, DATABASE_URL }, "pipe");
    lines = linesOf(server);
    await untilReady(url, server);
    database = await connect({ databaseUrl: undefined, dataDir });
  });
  test.afterAll(async () => {
    if (server.exitCode === null) server.kill("SIGKILL");
    await database.close();
    await proxy.close();
    await postgres.release();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const site = () => ({ url, dataDir, db: database.db });
  const accessLines = (route: string) =>
    lines.filter(({ msg, route: own }) => msg === "request" && own === route);
  const metric = async (name: string) =>
    readScrape(await (await fetch(metrics)).text()).find((sample) => sample.name === name)?.value;

  test("finds the request behind a reference that a player reads to them", async ({ page }) => {
    await signInAs(page.context(), site(), "player");
    await page.goto(`${url}/bookings`);
    await database.pool.query("alter table games rename to games_away");
    const navigation = page.getByRole("navigation", { name: "Main" });
    await navigation.getByRole("link", { name: "Games", exact: true }).click();
    const first = await readReference(page);
    await page.goto(`${url}/bookings`);
    const second = await readReference(page);
    await database.pool.query("alter table games_away rename to games");
    expect(first).not.toBe(second);
    for (const id of [first, second]) {
      const line = () => lines.find(({ msg, requestId }) => msg === "request" && requestId === id);
      await expect.poll(line).toMatchObject({ status: 500, failure: expect.any(String) });
      const { failure } = line()!;
      expect(lines).toContainEqual(
        expect.objectContaining({ level: 50, failure, err: expect.any(Object) }),
      );
    }
  });

  test("reads which migrations a start has applied", async () => {
    const empty = at(postgres.connection, "kickabout_empty");
    await administer(postgres.connection, "create database kickabout_empty");
    const env = { LOG_LEVEL: "info", DATABASE_URL: urlOf(empty), DATA_DIR: `${dataDir}/empty` };
    const first = spawnServer(dataDir, await freePort(), env, "pipe");
    const migrated = (own: typeof lines) =>
      own.filter(({ msg }) => String(msg).startsWith("applied "));
    const firstLines = linesOf(first);
    const isLogged = expect.poll(() => migrated(firstLines), { timeout: 60_000 }).toHaveLength(1);
    await isLogged.finally(() => endWith(first, "SIGTERM"));
    const applied = readdirSync(path.join(projectRoot, "db", "migrations")).toSorted();
    expect(migrated(firstLines)).toMatchObject([
      { level: 30, msg: `applied ${applied.join(", ")}`, applied },
    ]);
    // This one began with nothing to migrate.
    expect(migrated(lines)).toEqual([]);
  });

  test("reads a few lines in an outage, and its metrics say what is wrong", async () => {
    expect(await metric("kickabout_database_up")).toBe(1);
    const { id } = await database.db
      .selectFrom("users")
      .select("id")
      .where("email", "=", "player@uni.example")
      .executeTakeFirstOrThrow();
    const cookie = await sessionCookie(site(), id);
    const [lineCount, accessCount] = [lines.length, accessLines("/wallet").length];
    proxy.closeAll();
    for (let n = 0; n < 200; n += 1) {
      const { status } = await fetch(`${url}/wallet`, { headers: { cookie } });
      expect(status).toBe(503);
    }
    const logged = lines.slice(lineCount).filter(({ level }) => Number(level) >= 40);
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.length).toBeLessThan(20);
    await expect.poll(() => accessLines("/wallet").length - accessCount).toBe(200);
    await expect.poll(() => metric("kickabout_database_up"), { timeout: 15_000 }).toBe(0);
    proxy.letThrough();
    await expect.poll(() => metric("kickabout_database_up"), { timeout: 15_000 }).toBe(1);
  });

  test("stops it with all its ports", async () => {
    server.kill("SIGTERM");
    const [code] = await once(server, "exit");
    expect(code).toBe(0);
    await expect(fetch(metrics)).rejects.toThrow();
  });
});

/** What it logs from now on. */
function linesOf(server: ChildProcess) {
  const lines: Record<string, unknown>[] = [];
  createInterface({ input: server.stdout! }).on("line", (line) => {
    if (line.startsWith("{")) lines.push(JSON.parse(line) as Record<string, unknown>);
  });
  return lines;
}

async function readReference(page: Page): Promise<string> {
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await page.getByText("Details").click();
  const reference = page.getByText(/^Error reference: [0-9a-f]{16}$/);
  await expect(reference).toBeVisible();
  return (await reference.textContent())!.replace("Error reference: ", "");
}
