import { sql } from "kysely";
import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { urlOf } from "#test/postgres.ts";
import { connectServer } from "./connect.server.ts";
import type { Db } from "./db.server.ts";

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
