import { randomBytes } from "node:crypto";
import type { BoundedClient } from "./bounded-pool.server.ts";

const PID = "select pg_backend_pid() as pid";
const ROUNDS = 3;

export const NO_SESSION =
  "The address of the database leads to a pooler in transaction mode, where the locks and " +
  "settings of one client stay behind for others. Nothing was changed. Set DATABASE_DIRECT_URL " +
  "to PostgreSQL itself (docs/scale.md, PgBouncer)";

export const NO_PREPARED_STATEMENTS =
  "The pooler of DATABASE_URL cannot prepare statements, so that most pages would fail: it takes " +
  "PgBouncer 1.21 or newer with max_prepared_statements = 200 (docs/scale.md, PgBouncer)";

/** Whether what `client` sets or locks stays its own: not behind a pooler in transaction mode. */
export async function hasOwnSession(
  client: BoundedClient,
  connect: () => Promise<BoundedClient>,
): Promise<boolean> {
  const own = await readPid(client);
  // PostgreSQL greets with the process that will answer; poolers invent an id for cancelling.
  if (own === client.backendPid) return true;
  const other = await connect();
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (await isShared(client, other, own)) return false;
    }
    return true;
  } finally {
    await other.end();
  }
}

/** A pooler hands out the connection used last, or the one that is unused for longest. */
async function isShared(client: BoundedClient, other: BoundedClient, own: number) {
  if ((await readPid(client)) !== own) return true;
  await other.query("begin");
  const pid = await readPid(other);
  await other.query("rollback");
  return pid === own;
}

async function readPid(client: BoundedClient): Promise<number> {
  return (await client.query<{ pid: number }>(PID)).rows[0]!.pid;
}

/** Whether PostgreSQL knows a statement by the client's name for it: poolers that can prepare rename. */
export async function hasOwnNames(client: BoundedClient): Promise<boolean> {
  const name = `kickabout_${randomBytes(8).toString("hex")}`;
  const text = `select from pg_prepared_statements where name = $1 /* ${name} */`;
  return (await client.query({ name, text, values: [name] })).rowCount === 1;
}
