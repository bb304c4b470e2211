import { log } from "./log.server.ts";
import { scheduledJobGauges } from "./observability/metrics.server.ts";

export interface ScheduledJob {
  name: string;
  everyMs: number;
  run(now: Date): Promise<unknown>;
}

/** Otherwise one that comes once a day, and met an outage, would be a day late. */
const RETRY_MS = 60_000;

// Each at once and then once an interval, and again soon after it has failed or might not begin. One
// that still runs skips that time. Returns how to stop, which resolves once those that run have ended.
export function startScheduler(jobs: ScheduledJob[], mayBegin = () => true): () => Promise<void> {
  const stops = jobs.map((job) => schedule(job, mayBegin));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

function schedule(
  { name, everyMs, run }: ScheduledJob,
  mayBegin: () => boolean,
): () => Promise<void> {
  const labels = { duty: name };
  scheduledJobGauges.interval.set(labels, everyMs / 1_000);
  scheduledJobGauges.succeededAt.set(labels, 0);
  let running: Promise<void> | undefined;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;
  const tryAgainSoon = () => {
    if (everyMs > RETRY_MS && !isStopped) retry = setTimeout(begin, RETRY_MS).unref();
  };
  const perform = async () => {
    try {
      await run(new Date());
      scheduledJobGauges.succeededAt.setToCurrentTime(labels);
    } catch (error) {
      if (!(error instanceof LoggedError)) log.error({ err: error }, name);
      tryAgainSoon();
    }
  };
  const begin = () => {
    if (running) return;
    clearTimeout(retry);
    if (!mayBegin()) return tryAgainSoon();
    running = perform().finally(() => (running = undefined));
  };
  begin();
  const interval = setInterval(begin, everyMs).unref();
  return async () => {
    isStopped = true;
    clearInterval(interval);
    clearTimeout(retry);
    await running;
  };
}

/** Its causes are in the log. */
export class LoggedError extends Error {}

interface Work {
  ids: Iterable<string>;
  of: "gameId" | "userId" | "cancellationId" | "holdId";
  failed: string;
}

/** One that fails is logged, and keeps none of the others from running. Throws LoggedError. */
export async function runForEach(
  { ids, of, failed }: Work,
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  let failures = 0;
  for (const id of ids) {
    await work(id).catch((error: unknown) => {
      failures += 1;
      log.error({ err: error, [of]: id }, failed);
    });
  }
  if (failures > 0) throw new LoggedError(`${failed}: ${failures}`);
}
