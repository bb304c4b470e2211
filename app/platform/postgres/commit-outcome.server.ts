import { setTimeout as delay } from "node:timers/promises";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { NotBegunError, waitForDatabase } from "./database-time.server.ts";
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
export function withKnownOutcomes(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const client = new TransactionClient(await pool.connect(), pool.options);
      return client as TransactionClient & Pick<PostgresPoolClient, "query">;
    },
    end: () => pool.end(),
  };
}

const BEGIN = /^(begin|start transaction[^;]*)$/;

class TransactionClient {
  readonly #client: pg.PoolClient;
  readonly #config: pg.ClientConfig;
  #transactionId: string | null = null;
  #isReleased = false;

  constructor(client: pg.PoolClient, config: pg.ClientConfig) {
    this.#client = client;
    this.#config = config;
  }

  query(text: string, values: unknown[]): Promise<unknown> {
    if (BEGIN.test(text)) return this.#begin(text);
    if (text === "commit") return this.#commit();
    // Nothing is left to roll back, and Kysely would report that instead of the first error.
    if (this.#isReleased && text === "rollback") return Promise.resolve({ command: "ROLLBACK" });
    return this.#client.query(text, values);
  }

  release(isBroken?: boolean): void {
    if (!this.#isReleased) this.#client.release(isBroken);
    this.#isReleased = true;
  }

  async #begin(text: string): Promise<unknown> {
    if (text.endsWith("read only")) return this.#client.query(text);
    try {
      // In one message, which saves a round trip.
      const results = await this.#client.query(`${text}; select pg_current_xact_id() as id`);
      const [, { rows }] = results as unknown as [unknown, pg.QueryResult<{ id: string }>];
      this.#transactionId = rows[0]!.id;
      return results;
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
      if (!this.#transactionId || isKnownAbort(error)) throw error;
      // First, since the server decides once it sees that the connection is closed.
      this.release(true);
      const outcome = await this.#ask(this.#transactionId);
      log[outcome === "unknown" ? "error" : "warn"]({ err: error, outcome }, LOST);
      if (outcome === "committed") return { command: "COMMIT", rows: [] };
      throw outcome === "aborted" ? error : new OutcomeUnknownError({ cause: error });
    }
  }

  async #ask(transactionId: string): Promise<Outcome> {
    const ask = () => findOutcome(this.#config, transactionId);
    return waitForDatabase(ASKED_FOR, ask, () => {}, ASKED_AT_LEAST).catch(() => "unknown");
  }
}

/** COMMIT was never sent, or PostgreSQL replied that it did not commit. */
function isKnownAbort(error: unknown): boolean {
  if (error instanceof NotBegunError) return true;
  // FATAL and PANIC end the connection and say nothing about the transaction.
  return error instanceof pg.DatabaseError && error.severity === "ERROR";
}

const LOST = "the answer to COMMIT was lost";

type Outcome = "committed" | "aborted" | "unknown";

/** Milliseconds; a request has about five seconds in all. */
const ASKED_FOR = 1_500;
/** Beyond the request's 4.2 s, within the 5 s of its response. */
const ASKED_AT_LEAST = 600;
const POLL = 50;

async function findOutcome(config: pg.ClientConfig, transactionId: string): Promise<Outcome> {
  const over = AbortSignal.timeout(ASKED_FOR);
  const ask = async () => {
    while (!over.aborted) {
      const status = await askStatus(config, transactionId).catch(() => null);
      if (status === "committed" || status === "aborted") return status;
      await delay(POLL);
    }
    return "unknown";
  };
  return Promise.race([ask(), delay(ASKED_FOR, "unknown" as const, { ref: false })]);
}

/** Not through the pool: after a failover it may hold only dead connections. */
async function askStatus(config: pg.ClientConfig, transactionId: string): Promise<string | null> {
  const { password } = config;
  const timeouts = { connectionTimeoutMillis: ASKED_FOR, query_timeout: ASKED_FOR };
  const client = new pg.Client({ ...config, ...(password && { password }), ...timeouts });
  client.on("error", () => {});
  try {
    await client.connect();
    const question = "select pg_xact_status($1::text::xid8) as status";
    const { rows } = await client.query<{ status: string | null }>(question, [transactionId]);
    return rows[0]!.status;
  } finally {
    // A silent server would never close it.
    client.connection.stream.destroy();
  }
}
