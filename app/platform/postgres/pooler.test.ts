import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSilentProxy } from "#test/database-proxies.ts";
import { useDatabase } from "#test/db.ts";
import { urlOf } from "#test/postgres.ts";
import {
  connectWithoutLimits,
  type Database,
  isDatabaseAway,
  openDatabase,
} from "#app/platform/db.server.ts";
import { connect, connectServer } from "#app/platform/connect.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { BoundedClient } from "./bounded-pool.server.ts";
import { Servers } from "./servers.server.ts";

const database = useDatabase();
let pooled: Database;

beforeAll(() => {
  const url = urlOf(database.connection);
  const other = new URL(url);
  other.searchParams.set("application_name", "direct");
  const address = { servers: new Servers(url), direct: new Servers(other.href) };
  pooled = openDatabase(address, 2);
});
afterAll(() => pooled.close());

const LIMITS = sql<{ statement: string; lock: string; idle: string }>`
  select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle`;

test("behind a pooler a transaction has the limits of its pool, and its session keeps none", async () => {
  const { rows } = await pooled.db.transaction().execute((tx) => LIMITS.execute(tx));
  expect(rows).toEqual([{ statement: "15s", lock: "10s", idle: "15s" }]);
  expect((await LIMITS.execute(pooled.db)).rows).toEqual([
    { statement: "0", lock: "0", idle: "0" },
  ]);
  const readOnly = pooled.db.transaction().setAccessMode("read only");
  expect((await readOnly.execute((tx) => LIMITS.execute(tx))).rows).toEqual(rows);
});

test("what needs a session gets one beside the pooler", async () => {
  const name = "select current_setting('application_name') as name";
  const session = await connectWithoutLimits(pooled.pool);
  expect((await session.query(name)).rows).toEqual([{ name: "direct" }]);
  await session.end();
  expect((await pooled.pool.query(name)).rows).not.toEqual([{ name: "direct" }]);
});

test("of several servers the next one is tried when one cannot be reached, and kept", async () => {
  const url = new URL("postgres://kickabout@127.0.0.1,127.0.0.2/kickabout");
  // Nothing listens on the discard port.
  url.port = "9";
  const servers = new Servers(url.href);
  const tryIt = () => new BoundedClient({ servers, connectionString: servers.current }).connect();
  expect(servers.current).toContain("@127.0.0.1:9");
  await expect(Promise.all([tryIt(), tryIt()])).rejects.toThrow("ECONNREFUSED");
  await expect(tryIt()).rejects.toThrow("127.0.0.2:9");
  expect(servers.current).toContain("@127.0.0.1:9");
});

/** Authenticated, and ready. */
const GREETING = [message("R", Buffer.from([0, 0, 0, 0])), message("Z", Buffer.from("I"))];
/** Greeting of a server that replays another one's log. */
const REPLICA = GREETING.toSpliced(1, 0, message("S", Buffer.from("in_hot_standby\0on\0")));
const STOPPED = message("E", Buffer.from("SFATAL\0VFATAL\0C57P01\0Mstopped by an admin\0\0"));

const startReplica = (host: string, port = 0) => startGreeting(REPLICA, host, port);

/** Everything at once, so that it is read as one. */
async function startGreeting(messages: Buffer[], host: string, port = 0) {
  const greeting = Buffer.concat(messages);
  const server = createServer((socket) =>
    socket.on("error", () => {}).once("data", () => socket.write(greeting)),
  );
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

test("a server that is stopped as it greets fails what has connected, and not the process", async () => {
  const server = await startGreeting([...GREETING, STOPPED], "127.0.0.1");
  const { port } = server.address() as AddressInfo;
  const connectionString = `postgres://kickabout@127.0.0.1:${port}/kickabout`;
  const stopping = openDatabase({ connectionString }, 1);
  await expect(stopping.pool.query("select 1")).rejects.toSatisfy(isDatabaseAway);
  await stopping.close();
  server.close();
});

test("a replica among them is left before the first query", async () => {
  const server = await startReplica("127.0.0.1");
  const { port } = server.address() as AddressInfo;
  const servers = new Servers(`postgres://kickabout@127.0.0.1,127.0.0.9:${port}/kickabout`);
  const connectionString = servers.current;
  const failed = new BoundedClient({ servers, connectionString }).connect();
  await expect(failed).rejects.toSatisfy(isDatabaseAway);
  expect(servers.current).toContain("127.0.0.9");
  // Where no primary is needed, as for public pages, it is welcome.
  const reader = new BoundedClient({ connectionString });
  await reader.connect();
  reader.connection.stream.destroy();
  server.close();
});

test.each(["dead", "a replica"])(
  "a process starts and a command runs though the first server is %s",
  async (state) => {
    const primary = await startSilentProxy(database.connection);
    const url = new URL(urlOf(primary.connection));
    const port = Number(url.searchParams.get("port") ?? url.port);
    url.host = `127.0.0.9,127.0.0.1:${port}`;
    url.search = "";
    const first = state === "dead" ? null : await startReplica("127.0.0.9", port);
    const place = { databaseUrl: url.href, dataDir: "" };
    const command = await connect(place);
    expect(await migrate(command.pool)).toEqual([]);
    await command.close();
    const again = await connect(place);
    expect((await LIMITS.execute(again.db)).rows).toHaveLength(1);
    await again.close();
    const server = await connectServer({ ...place, poolMax: 4, role: "all" });
    expect(await server.readiness.isUp()).toBe(true);
    await server.close();
    first?.close();
    await primary.close();
  },
);

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
