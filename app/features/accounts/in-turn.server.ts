/** Runs deeds of the same key one after another; deeds of different keys do not wait. */
export function inTurnByKey(): <T>(key: string, deed: () => Promise<T>) => Promise<T> {
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
