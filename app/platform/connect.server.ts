import { sql } from "kysely";
import type { Limits } from "#app/platform/postgres/bounded-pool.server.ts";
import {
  checkPooler,
  type Database,
  type Db,
  openDatabase,
  REQUEST_LIMITS,
  WORK_LIMITS,
  pingDatabase,
} from "./db.server.ts";
import { openReplica } from "#app/platform/postgres/replica.server.ts";
import type { Env } from "./env.server.ts";
import { log } from "./log.server.ts";
import { withOwnTime } from "#app/platform/postgres/database-time.server.ts";
import { startEmbeddedPostgres } from "#app/platform/postgres/embedded.server.ts";
import { type Address, Servers } from "#app/platform/postgres/servers.server.ts";

export interface Connection extends Database {
  location: string | null;
}

interface Place {
  databaseUrl: string | undefined;
  directUrl?: string | undefined;
  replicaUrl?: string | undefined;
  dataDir: string;
}

export async function connect(place: Place, limits: Limits = WORK_LIMITS): Promise<Connection> {
  const { connection, location, release } = await openServer(place);
  const database = openDatabase(connection, undefined, limits);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= database.close().finally(release));
  return { ...database, location, close };
}

/** Jobs and requests split `poolMax` between two pools, so that neither waits for the other. */
export async function connectServer(server: Place & Pick<Env, "poolMax" | "role">) {
  const { connection, location, release } = await openServer(server);
  if (server.directUrl) await checkPooler(connection);
  const { poolMax } = server;
  const forWork = connectionsForWork(server);
  const work = openDatabase(connection, forWork, WORK_LIMITS, "work");
  const requests = openDatabase(connection, poolMax - forWork, REQUEST_LIMITS, "requests");
  const readiness = createReadiness(connection);
  const replicaUrl = server.role === "worker" ? undefined : server.replicaUrl;
  const primary = { requests: requests.db, work: work.db };
  const replica = replicaUrl ? openReplica(replicaUrl, primary, poolMax - forWork) : undefined;
  const ofReplica = replica && { replica: replica.pool };
  const pools = { work: work.pool, requests: requests.pool, ...ofReplica };
  const openForMetrics = (limits: Limits) => openDatabase(connection, 1, limits, "metrics");
  const close = async () => {
    await Promise.all([work.close(), requests.close(), readiness.close(), replica?.close()]);
    await release();
  };
  return { work, requests, replica, pools, openForMetrics, readiness, location, close };
}

/** Beside POOL_MAX: readiness, listening twice, metrics, the check of the ledger. */
const BESIDE_POOLS = 5;

/** The last process to start sees all others, and can say that PostgreSQL may not have enough for them. */
export async function warnOfConnections(
  db: Db,
  { poolMax, directUrl }: Pick<Env, "poolMax"> & Pick<Place, "directUrl">,
) {
  // A pooler shares them.
  if (directUrl) return;
  const { rows } = await sql<{ processes: number; allowed: number }>`
    select current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as allowed,
      (select count(distinct substring(application_name from '^kickabout-[a-z]+-(.*)$'))
        from pg_stat_activity where datname = current_database()
          and application_name like any (array['kickabout-work-%', 'kickabout-requests-%'])
      ) as processes`.execute(db);
  const { processes, allowed } = rows[0]!;
  const wanted = processes * (poolMax + BESIDE_POOLS);
  if (wanted <= allowed) return;
  const facts = { processes, poolMax, wanted, allowed };
  log.warn(facts, "PostgreSQL allows fewer connections than these processes may open");
}

function connectionsForWork({ poolMax, role }: Pick<Env, "poolMax" | "role">): number {
  if (role === "worker") return poolMax - 1;
  return role === "all" && poolMax > 4 ? 2 : 1;
}

async function openServer({ databaseUrl, directUrl, dataDir }: Place) {
  if (databaseUrl) {
    const direct = directUrl ? { direct: new Servers(directUrl) } : {};
    const connection: Address = { servers: new Servers(databaseUrl), ...direct };
    return { connection, location: null, release: async () => {} };
  }
  return startEmbeddedPostgres(dataDir);
}

export type Readiness = ReturnType<typeof createReadiness>;

/** Where several servers are tried too, `/readyz` is answered within 2 seconds. */
const READY_MS = 1_800;
const LIMITS = { connectMs: 800, statementMs: 600, lockMs: 600, idleInTransactionMs: 600 };

function createReadiness(connection: Address) {
  const { db, close } = openDatabase(connection, 1, LIMITS, "readiness");
  let asking: Promise<boolean> | null = null;
  const ask = () =>
    withOwnTime(() => pingDatabase(db), READY_MS)
      .then(() => true)
      .catch(() => false)
      .finally(() => (asking = null));
  return { isUp: () => (asking ??= ask()), close };
}
