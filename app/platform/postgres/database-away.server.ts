/** A query or a connection that took too long on our side; PostgreSQL may be working on it still. */
export class DatabaseTimeout extends Error {
  readonly code = "DATABASE_TIMEOUT";
}

/** The request had no time left before this was begun: PostgreSQL has heard nothing of it. */
export class NotBegunError extends DatabaseTimeout {}

// What we say of a server that is silent, and Node of one that cannot be reached.
const OURS_OR_NODES =
  /^(DATABASE_TIMEOUT|ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|ENOENT|EPIPE|ETIMEDOUT|EAGAIN|EAI_AGAIN|ENOTFOUND)$/;
// What PostgreSQL says when it comes, goes or is too busy: connection exceptions, insufficient
// resources, operator intervention (a statement's time is over), a lock or a transaction's time.
const POSTGRES = /^(08\w{3}|53\w{3}|57014|57P0\d|55P03|25P0[34])$/;

/**
 * Whether the database is away, silent or too busy for this, and might do it a little later. Takes
 * errors that were copied into plain objects too, as pg-boss reports its own.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code) return OURS_OR_NODES.test(String(code)) || POSTGRES.test(String(code));
  // The pool's own errors have no code.
  return /^Connection terminated|timeout.{0,100}connect|timeout expired|not queryable/.test(
    String(message),
  );
}
