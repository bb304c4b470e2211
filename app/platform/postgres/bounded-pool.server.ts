import { hostname } from "node:os";
import { callbackify } from "node:util";
import pg from "pg";
import { watchStatement } from "#app/platform/observability/statements.server.ts";
import { waitForDatabase } from "./database-time.server.ts";
import { type Address, followServers, NotPrimaryError, type Servers } from "./servers.server.ts";

export interface Limits {
  connectMs: number;
  statementMs: number;
  lockMs: number;
  idleInTransactionMs: number;
}

export type Purpose =
  | "replica"
  | "requests"
  | "work"
  | "readiness"
  | "metrics"
  | "command"
  | "session";

/** A server that works hits its own limit first and replies in time. */
const MARGIN_MS = 300;
const GOODBYE_MS = 1_000;

/** Hands out no connection that has gone silent, as after a failover or behind a firewall. */
export class BoundedPool extends pg.Pool {
  #silentAt = -Infinity;
  /** Statements that begin each transaction: a pooler in transaction mode keeps no session. */
  readonly limitsOfTransaction: string[];
  readonly #servers: Servers | undefined;

  constructor(address: Address, max: number, limits: Limits, purpose: Purpose) {
    const isPooled = address.direct !== undefined;
    const ofSession = {
      statement_timeout: limits.statementMs,
      lock_timeout: limits.lockMs,
      idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    };
    super({
      application_name: applicationName(purpose),
      ...address,
      max,
      Client: BoundedClient,
      pipeline: true,
      connectionTimeoutMillis: limits.connectMs,
      idleTimeoutMillis: 30_000,
      maxLifetimeSeconds: 1_800,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...(isPooled ? {} : ofSession),
    });
    this.#servers = address.servers;
    followServers(this.options, address.servers);
    const settings = Object.entries(isPooled ? ofSession : {});
    this.limitsOfTransaction = settings.map(([name, ms]) => `set local ${name} = ${ms}`);
    // Without a handler, an idle connection closed by the server would end the process.
    this.on("error", () => {});
    this.on("connect", (client) => {
      if (!(client instanceof BoundedClient)) return;
      client.purpose = purpose;
      client.limitMs = limits.statementMs + MARGIN_MS;
      client.onSilence = () => (this.#silentAt = performance.now());
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnected): void;
  override connect(callback?: OnConnected): Promise<pg.PoolClient> | void {
    const connected = waitForDatabase(
      Infinity,
      () => this.#connectFresh(),
      (late) => void late.then((client) => client.release()).catch(() => {}),
    );
    if (!callback) return connected;
    callbackify(() => connected)((error, client) =>
      callback(error ?? undefined, client, (reason) => client?.release(reason)),
    );
  }

  /** If one connection goes silent, those that have not replied since are suspect too. */
  async #connectFresh(): Promise<pg.PoolClient> {
    const connect = () => super.connect();
    for (;;) {
      const client = await (this.#servers?.tryEach(connect) ?? connect());
      if (!(client instanceof BoundedClient) || client.answeredAt >= this.#silentAt) return client;
      client.release(true);
    }
  }
}

/** PostgreSQL cuts it off after 63 bytes. */
export function applicationName(purpose: Purpose): string {
  return `kickabout-${purpose}-${hostname().slice(0, 30)}/${process.pid}`;
}

type Callback = (error: Error | null, result: unknown) => void;
type OnConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (error?: Error | boolean) => void,
) => void;

interface Parameter {
  parameterName: string;
  parameterValue: string;
}

export class BoundedClient extends pg.Client {
  limitMs = Infinity;
  purpose: Purpose = "session";
  answeredAt = performance.now();
  /** The process that greeted; a pooler gives an id of its own. */
  backendPid = 0;
  onSilence = () => {};
  readonly #servers: Servers | undefined;
  readonly #url: string;
  #isReplica = false;

  constructor(config: Address = {}) {
    super(config);
    this.#servers = config.servers;
    this.#url = config.connectionString ?? "";
    // From the start: what stops as it greets says so before anybody has the connection, and without
    // a handler that would end the process.
    this.on("error", () => {});
    this.connection.on("backendKeyData", ({ processID }: { processID: number }) => {
      this.backendPid = processID;
    });
    // Reported before the first query, except by a pooler.
    this.connection.on("parameterStatus", ({ parameterName, parameterValue }: Parameter) => {
      if (parameterName === "in_hot_standby") this.#isReplica = parameterValue === "on";
    });
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | void {
    const connected = this.#connectToPrimary();
    if (!callback) return connected;
    callbackify(() => connected)(callback as Callback);
  }

  async #connectToPrimary(): Promise<this> {
    try {
      await super.connect();
      if (!this.#servers || !this.#isReplica) return this;
      void this.end();
      throw new NotPrimaryError();
    } catch (error) {
      this.#servers?.leave(this.#url);
      throw error;
    }
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    setTimeout(() => this.connection.stream.destroy(), GOODBYE_MS).unref();
    return callback ? super.end(callback) : super.end();
  }
}

const plainQuery = pg.Client.prototype.query as (...args: unknown[]) => Promise<pg.QueryResult>;
BoundedClient.prototype.query = function query(this: BoundedClient, ...args: unknown[]) {
  const callback = args.at(-1);
  if (typeof callback !== "function") return queryInTime(this, args);
  callbackify(() => queryInTime(this, args.slice(0, -1)))(callback as Callback);
} as typeof pg.Client.prototype.query;

async function queryInTime(client: BoundedClient, args: unknown[]): Promise<unknown> {
  const { stream } = client.connection;
  // What is sent in one go is one message, whose writing costs more than what is in it.
  stream.cork();
  process.nextTick(() => stream.uncork());
  const start = () =>
    watchStatement(client.purpose, args[0], () => plainQuery.apply(client, prepared(args)));
  const giveUp = (_pending: unknown, isOverLimit: boolean) => {
    if (isOverLimit) client.onSilence();
    // The pool takes back any connection that has not ended, even with a query under way.
    void client.end();
  };
  try {
    const result = await waitForDatabase(client.limitMs, start, giveUp);
    client.answeredAt = performance.now();
    return result;
  } catch (error) {
    if (args[0] !== "rollback") throw error;
    // Without its connection a transaction rolls back; report what made it fail.
    void client.end();
    return { command: "ROLLBACK", rowCount: null, rows: [] };
  }
}

/** pg prepares only named statements; Kysely names none. */
function prepared(args: unknown[]): unknown[] {
  const [text, values] = args;
  // Without values it may be several statements, which cannot be prepared.
  const isPlain = typeof text !== "string" || !Array.isArray(values) || values.length === 0;
  return isPlain ? args : [{ name: statementName(text), text, values }];
}

const statementNames = new Map<string, string | undefined>();
const MAX_STATEMENTS = 1_000;

/** The same on every connection; statements beyond the cap, or with all columns, run unnamed. */
function statementName(text: string): string | undefined {
  if (statementNames.has(text) || statementNames.size >= MAX_STATEMENTS) {
    return statementNames.get(text);
  }
  const name = hasAllColumns(text) ? undefined : `s${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

// `select *`, `games.*` and `returning *` have another result once a migration has added a column,
// which PostgreSQL rejects for a statement that is prepared. In parentheses they are harmless.
function hasAllColumns(text: string): boolean {
  let outer = text;
  for (let inner = ""; inner !== outer;) {
    inner = outer;
    outer = inner.replaceAll(/\([^()]*\)/g, "");
  }
  return /(?:\bselect|\bdistinct|\breturning|[.,])\s*\*/i.test(outer);
}
