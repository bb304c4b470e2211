import { sql } from "kysely";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { urlOf } from "#test/postgres.ts";
import { connectServer, warnOfConnections } from "./connect.server.ts";
import type { Db } from "./db.server.ts";
import { log } from "./log.server.ts";

const database = useDatabase();

const NAME = sql<{ pool: string }>`
  select split_part(current_setting('application_name'), '-', 2) as pool`;
const askName = async (db: Db) => (await NAME.execute(db)).rows[0]!.pool;

test.each(["web", "all"] as const)(
  "with ROLE=%s pages whose replica is away are read by requests' connections, though jobs hold theirs",
  async (role) => {
    const databaseUrl = urlOf(database.connection);
    // Nothing listens on the discard port.
    const replicaUrl = "postgres://kickabout@127.0.0.1:9/kickabout";
    const place = { databaseUrl, replicaUrl, dataDir: "", poolMax: 12, role };
    const server = await connectServer(place);
    const held = await Promise.all(
      Array.from({ length: server.pools.work.options.max }, () => server.pools.work.connect()),
    );
    const pools = await Promise.all(
      Array.from({ length: 20 }, () => server.replica!.read(askName)),
    );
    expect(new Set(pools)).toEqual(new Set(["requests"]));
    for (const client of held) client.release();
    await server.close();
  },
);

test("the process that is one too many for PostgreSQL says so, unless a pooler is between", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const { rows } = await database.pool.query<Record<string, string>>("show max_connections");
  const half = Math.floor(Number(Object.values(rows[0]!)[0]) / 2);
  const sessions = await Promise.all(
    // Two pools of one process, and a command, which ends by itself.
    ["work-host/1", "requests-host/1", "command-host/2"].map((name) => openSession(name)),
  );
  const place = { poolMax: half };
  await warnOfConnections(database.db, place);
  expect(warn).not.toHaveBeenCalled();
  sessions.push(await openSession("requests-other-host/1"));
  await warnOfConnections(database.db, { ...place, directUrl: "postgres://direct" });
  await warnOfConnections(database.db, { ...place, poolMax: 1 });
  expect(warn).not.toHaveBeenCalled();
  await warnOfConnections(database.db, place);
  expect(warn.mock.calls).toEqual([
    [expect.objectContaining({ processes: 2, poolMax: half }), expect.stringContaining("fewer")],
  ]);
  await Promise.all(sessions.map((session) => session.end()));
  warn.mockRestore();
});

async function openSession(name: string) {
  const session = new pg.Client({
    ...database.connection,
    application_name: `kickabout-${name}`,
  });
  await session.connect();
  return session;
}
