import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseTimeout, isDatabaseAway, NotBegunError } from "./database-away.server.ts";

/** So long a request waits for the database, all its queries together: 503 goes out within 5 s. */
const REQUEST_MS = 4_200;

interface RequestTime {
  limitMs: number;
  /** What has been waited; queries that run side by side count once. */
  spentMs: number;
  running: number;
  since: number;
  hasFailed: boolean;
}

const requests = new AsyncLocalStorage<RequestTime>();

/** Runs what answers one request; inside another one it belongs to that. */
export function withinRequest<T>(answer: () => T, limitMs = REQUEST_MS): T {
  if (requests.getStore()) return answer();
  return requests.run({ limitMs, spentMs: 0, running: 0, since: 0, hasFailed: false }, answer);
}

/** Whether the database was away, silent or too busy for the request that is answered. */
export function hadOutage(): boolean {
  return requests.getStore()?.hasFailed ?? false;
}

/**
 * Waits for the database, at most `limitMs` and what is left of the request's time, but for
 * `leastMs` even where that is over. Throws DatabaseTimeout after `giveUp`, which hears whether the
 * limit itself was over, and NotBegunError where no time is left to `start`.
 */
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
    // On a busy process the answer may wait to be read: the immediate comes after that.
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
