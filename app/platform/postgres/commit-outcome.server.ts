import { setTimeout as delay } from "node:timers/promises";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import type { BoundedPool } from "./bounded-pool.server.ts";
import { NotBegunError, waitForDatabase } from "./database-time.server.ts";
import { type Address, followServers } from "./servers.server.ts";
import { log } from "#app/platform/log.server.ts";

/** COMMIT got no reply and its outcome cannot be read: do not claim that it failed. */
export class OutcomeUnknownError extends Error {
  override name = "OutcomeUnknownError";
  /** PostgreSQL's transaction_resolution_unknown; isDatabaseAway knows its class. */
  readonly code = "08007";

  constructor(options?: ErrorOptions) {
    super("The answer to COMMIT was lost, and its outcome could not be read", options);
  }
}

// When COMMIT gets no reply, asks the database for the transaction's outcome: commit resolves, abort
// throws the connection's error, anything else OutcomeUnknownError.
export function withKnownOutcomes(pool: BoundedPool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const client = new TransactionClient(await pool.connect(), pool);
      return client as TransactionClient & Pick<PostgresPoolClient, "query">;
    },
    end: () => pool.end(),
  };
}

const BEGIN = /^(begin|start transaction[^;]*)$/;
const READ = /^\s*select\b/i;

class TransactionClient {
  readonly #client: pg.PoolClient;
  readonly #pool: BoundedPool;
  /** Not sent yet. */
  #beginning: string[] | null = null;
  #begun: Promise<void> | null = null;
  #hasBegun = false;
  #isHeldBack = false;
  #transaction: Transaction | null = null;
  #isReleased = false;

  constructor(client: pg.PoolClient, pool: BoundedPool) {
    this.#client = client;
    this.#pool = pool;
  }

  async query(text: string, values: unknown[]): Promise<unknown> {
    if (BEGIN.test(text)) return this.#announce(text);
    const isEnd = text === "commit" || text === "rollback";
    // Nothing was asked in it.
    if (this.#beginning && isEnd) return this.#drop(text);
    if (text === "commit") {
      if (this.#begun && !this.#hasBegun) await this.#begun;
      return this.#commit();
    }
    // Nothing is left to roll back, and Kysely would report that instead of the first error.
    if (this.#isReleased && text === "rollback") return { command: "ROLLBACK" };
    if (this.#beginning) this.#begun = this.#begin(this.#beginning);
    // At once, so that what goes with the COMMIT is sent before it.
    if (!this.#begun || this.#hasBegun) return this.#client.query(text, values);
    // A write would stay if no transaction had begun; nothing may overtake it.
    this.#isHeldBack ||= !READ.test(text);
    if (this.#isHeldBack) await this.#begun;
    const [, result] = await Promise.all([this.#begun, this.#client.query(text, values)]);
    return result;
  }

  release(isBroken?: boolean): void {
    if (!this.#isReleased) this.#client.release(isBroken);
    this.#isReleased = true;
  }

  /** It goes with the first statement, which saves a round trip. */
  #announce(text: string) {
    this.#beginning = [text, ...this.#pool.limitsOfTransaction];
    return { rows: [] };
  }

  #drop(text: string) {
    this.#beginning = null;
    return { command: text.toUpperCase(), rows: [] };
  }

  async #begin(beginning: string[]): Promise<void> {
    this.#beginning = null;
    try {
      if (beginning[0]!.endsWith("read only")) {
        await this.#client.query(beginning.join("; "));
        this.#hasBegun = true;
        return;
      }
      const asking = [...beginning, `select pg_current_xact_id() as id, ${SERVER} as server`];
      const results = (await this.#client.query(asking.join("; "))) as unknown as pg.QueryResult[];
      this.#transaction = results.at(-1)!.rows[0] as Transaction;
      this.#hasBegun = true;
    } catch (error) {
      // The transaction may have begun, so nothing else may run on this connection.
      this.release(true);
      throw error;
    }
  }

  async #commit(): Promise<unknown> {
    try {
      return await this.#client.query("commit");
    } catch (error) {
      if (!this.#transaction || isKnownAbort(error)) throw error;
      // Release first: the server decides once it sees that the connection is closed.
      this.release(true);
      const outcome = await this.#ask(this.#transaction);
      log[outcome === "unknown" ? "error" : "warn"]({ err: error, outcome }, LOST);
      if (outcome === "committed") return { command: "COMMIT", rows: [] };
      throw outcome === "aborted" ? error : new OutcomeUnknownError({ cause: error });
    }
  }

  async #ask(transaction: Transaction): Promise<Outcome> {
    const ask = () => findOutcome(this.#pool.options, transaction);
    return waitForDatabase(ASKED_FOR, ask, () => {}, ASKED_AT_LEAST).catch(() => "unknown");
  }
}

interface Transaction {
  id: string;
  server: string;
}

/** After a failover the new primary gives the same ids to other transactions. */
const SERVER = "extract(epoch from pg_postmaster_start_time())::text";

export function isKnownAbort(error: unknown): boolean {
  if (error instanceof NotBegunError) return true;
  // FATAL and PANIC end the connection and say nothing about the transaction.
  return error instanceof pg.DatabaseError && error.severity === "ERROR";
}

const LOST = "the answer to COMMIT was lost";

type Outcome = "committed" | "aborted" | "unknown";

/** In milliseconds; a request has about five seconds in all. */
const ASKED_FOR = 1_500;
/** Beyond the request's 4.2 s, but within the 5 s of its response. */
const ASKED_AT_LEAST = 600;
const POLL = 50;

async function findOutcome(config: Address, transaction: Transaction): Promise<Outcome> {
  const over = AbortSignal.timeout(ASKED_FOR);
  const ask = async () => {
    while (!over.aborted) {
      const status = await askStatus(config, transaction).catch(() => null);
      if (status && status !== "in progress") return status;
      await delay(POLL);
    }
    return "unknown";
  };
  return Promise.race([ask(), delay(ASKED_FOR, "unknown" as const, { ref: false })]);
}

/** Not through the pool or a pooler: after a failover they may hold only dead connections. */
async function askStatus(config: Address, { id, server }: Transaction) {
  const { password } = config;
  const servers = config.direct ?? config.servers;
  const timeouts = { connectionTimeoutMillis: ASKED_FOR, query_timeout: ASKED_FOR };
  const own = { ...config, ...(password && { password }), ...timeouts };
  const client = new pg.Client(followServers(own, servers));
  client.on("error", () => {});
  try {
    await client.connect();
    const question = `select pg_xact_status($1::text::xid8) as status, ${SERVER} as server`;
    const { rows } = await client.query<Answer>(question, [id]);
    return rows[0]!.server === server ? rows[0]!.status : "unknown";
  } finally {
    // A silent server would never close it.
    client.connection.stream.destroy();
  }
}

interface Answer {
  status: Outcome | "in progress" | null;
  server: string;
}
