import { setTimeout as delay } from "node:timers/promises";
import { log } from "./log.server.ts";

interface Queue<Round> {
  isEmpty(): boolean;
  /** Takes at most so many of what waits. */
  take(most: number): Round;
  sizeOf(round: Round): number;
  run(round: Round): Promise<void>;
  putBack(failed: Round): void;
}

const RETRY_MS = 1_000;
const LEAST_PAUSE_MS = 20;
/** Rounds take at most a quarter of the process's time, however much changes. */
const pauseAfter = (spentMs: number) => Math.max(LEAST_PAUSE_MS, spentMs * 3);

// Runs what waits in a queue, one round after another: what comes while one is under way is of the
// next. A failed round is tried again in halves, so that what fails each time only delays itself.
export function createRounds<Round>(
  what: string,
  { most, ...queue }: Queue<Round> & { most: number },
) {
  let mostNow = most;
  let isRunning = false;
  let isClosed = false;

  async function run() {
    isRunning = true;
    while (!queue.isEmpty() && !isClosed) {
      const startedAt = performance.now();
      const round = queue.take(mostNow);
      const isDone = await queue.run(round).then(
        () => true,
        (error: unknown) => log.warn({ err: error }, `${what} not read`),
      );
      if (isDone) mostNow = Math.min(most, mostNow * 2);
      else {
        mostNow = Math.max(1, Math.floor(queue.sizeOf(round) / 2));
        queue.putBack(round);
      }
      const pauseMs = isDone ? pauseAfter(performance.now() - startedAt) : RETRY_MS;
      await delay(pauseMs, undefined, { ref: false });
    }
    isRunning = false;
  }

  return {
    begin: () => void (isRunning || run()),
    close: () => void (isClosed = true),
  };
}
