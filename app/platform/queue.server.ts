/** Thrown to whoever would have to wait behind too many. */
export class QueueFullError extends Error {}

/** Runs work `atOnce` at a time, in order; at most `mayWait` wait, and the next is refused. */
export function createQueue(atOnce: number, mayWait: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running >= atOnce) {
        if (waiting.length >= mayWait) throw new QueueFullError("too many are waiting");
        // Whoever finishes hands its place on, so that nobody slips in between.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
