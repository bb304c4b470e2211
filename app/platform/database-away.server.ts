/** A query or a connection that took too long on our side; PostgreSQL may be working on it still. */
export class DatabaseTimeout extends Error {}

// What Node says of a server that is not there or cannot be reached.
const UNREACHABLE =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|ENOENT|EPIPE|ETIMEDOUT|EAGAIN|EAI_AGAIN|ENOTFOUND)$/;
// What PostgreSQL says when it comes, goes or is too busy: connection exceptions, insufficient
// resources, operator intervention (a statement's time is over), a lock or a transaction's time.
const AWAY_OR_BUSY = /^(08\w{3}|53\w{3}|57014|57P0\d|55P03|25P0[34])$/;

/** Whether the database is away, silent or too busy for this, and might do it a little later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseTimeout) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const { code } = error as { code?: unknown };
  // The pool's own errors have no code.
  return code
    ? UNREACHABLE.test(String(code)) || AWAY_OR_BUSY.test(String(code))
    : /^Connection terminated|timeout.*connect|timeout expired|not queryable/.test(error.message);
}
