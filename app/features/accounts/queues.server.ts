type Deed<T> = () => Promise<T>;

/** Runs at most `limit` deeds at once; the others wait in the order in which they came. */
export function limitConcurrency(limit: number): <T>(deed: Deed<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (deed) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await deed();
    } finally {
      // The place passes straight on, so that nobody who comes just now can take it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Runs deeds of the same key one after another; deeds of different keys do not wait. */
export function inTurnByKey(): <T>(key: string, deed: Deed<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, deed) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(deed, deed);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
