import { AsyncLocalStorage } from "node:async_hooks";

/** For all queries of a request together: a 503 goes out within 5 s. */
const REQUEST_MS = 4_200;

interface RequestTime {
  limitMs: number;
  spentMs: number;
  running: number;
  since: number;
  hasFailed: boolean;
}

const requests = new AsyncLocalStorage<RequestTime>();

/** A nested call counts towards the outer one. */
export function withinRequest<T>(run: () => T, limitMs = REQUEST_MS): T {
  return requests.getStore() ? run() : withOwnTime(run, limitMs);
}

/** For each part of a long answer, which all of them together may outlive. */
export function withOwnTime<T>(run: () => T, limitMs = REQUEST_MS): T {
  return requests.run({ limitMs, spentMs: 0, running: 0, since: 0, hasFailed: false }, run);
}

export function hadOutage(): boolean {
  return requests.getStore()?.hasFailed ?? false;
}

/** For an outage outside the database, if a retry may succeed. */
export function noteOutage(): void {
  const request = requests.getStore();
  if (request) request.hasFailed = true;
}

// Waits at most `limitMs` and what is left of the request's time, but `leastMs` at least. Throws
// DatabaseTimeout after `giveUp`, NotBegunError where no time is left to `start`.
export async function waitForDatabase<T>(
  limitMs: number,
  start: () => Promise<T>,
  giveUp: (pending: Promise<T>, isOverLimit: boolean) => void,
  leastMs = 0,
): Promise<T> {
  const request = requests.getStore();
  if (!request) return waitFor(limitMs, start(), (pending) => giveUp(pending, true));
  try {
    const leftMs = Math.max(leastMs, request.limitMs - spent(request));
    if (leftMs <= 0) throw new NotBegunError("the request's time for the database is over");
    if (request.running++ === 0) request.since = performance.now();
    const isOverLimit = limitMs <= leftMs;
    const end = (pending: Promise<T>) => giveUp(pending, isOverLimit);
    return await waitFor(Math.min(limitMs, leftMs), start(), end).finally(() => {
      if (--request.running === 0) request.spentMs += performance.now() - request.since;
    });
  } catch (error) {
    if (isDatabaseAway(error)) request.hasFailed = true;
    throw error;
  }
}

async function waitFor<T>(ms: number, pending: Promise<T>, giveUp: (pending: Promise<T>) => void) {
  if (ms === Infinity) return pending;
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    // In a busy process the reply may be waiting to be read; an immediate runs after that.
    setImmediate(() => reject(new DatabaseTimeout("the database did not answer in time")));
  }, ms);
  try {
    return await Promise.race([pending, over]);
  } catch (error) {
    if (error instanceof DatabaseTimeout) giveUp(pending);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function spent({ spentMs, running, since }: RequestTime): number {
  return running > 0 ? spentMs + performance.now() - since : spentMs;
}

/** Timed out on our side; PostgreSQL may still be working on it. */
export class DatabaseTimeout extends Error {
  readonly code = "DATABASE_TIMEOUT";
}

export class NotBegunError extends DatabaseTimeout {}

// Our code for a silent server, Node's for an unreachable one.
const OURS_OR_NODES =
  /^(DATABASE_TIMEOUT|ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|ENOENT|EPIPE|ETIMEDOUT|EAGAIN|EAI_AGAIN|ENOTFOUND)$/;
// PostgreSQL lost the connection, lacks resources, stops, timed out, or became a replica.
const POSTGRES = /^(08\w{3}|53\w{3}|57014|57P0\d|55P03|25P0[34]|25006)$/;

/** Whether a retry may succeed. Takes errors copied into plain objects too (pg-boss). */
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

/** These slow down one statement: no outage. */
const TIMEOUT = /^(57014|55P03|25P0[34])$/;

export function isOutage(error: unknown): boolean {
  return isDatabaseAway(error) && !TIMEOUT.test(String((error as { code?: unknown }).code ?? ""));
}
