import { BusyError } from "#app/platform/turns.server.ts";

const MOST_WAITING = 50;

/**
 * Runs work of the same key one after another; work of different keys does not wait. Fails with
 * BusyError where too much of one key waits.
 */
export function inTurnByKey(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();
  return async (key, work) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (line.length > MOST_WAITING) throw new BusyError("too much work on one account is waiting");
    line.length += 1;
    lines.set(key, line);
    const mine = line.last.then(work, work);
    line.last = mine;
    try {
      return await mine;
    } finally {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    }
  };
}
