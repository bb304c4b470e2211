import { log } from "./log.server.ts";
import { dutyGauges } from "./watch/metrics.server.ts";

export interface Duty {
  name: string;
  everyMs: number;
  run(now: Date): Promise<unknown>;
}

/** Otherwise one that comes once a day, and met an outage, would be a day late. */
const RETRY_MS = 60_000;

/** Each at once and then once an interval, and again soon after it has failed. */
export function startDuties(duties: Duty[]): void {
  for (const { name, everyMs, run } of duties) {
    const labels = { duty: name };
    dutyGauges.interval.set(labels, everyMs / 1_000);
    dutyGauges.succeededAt.set(labels, 0);
    let retry: NodeJS.Timeout | undefined;
    const perform = async () => {
      clearTimeout(retry);
      try {
        await run(new Date());
        dutyGauges.succeededAt.setToCurrentTime(labels);
      } catch (error) {
        if (!(error instanceof LoggedError)) log.error({ err: error }, name);
        if (everyMs > RETRY_MS) retry = setTimeout(perform, RETRY_MS).unref();
      }
    };
    void perform();
    setInterval(perform, everyMs).unref();
  }
}

/** Its causes are in the log. */
export class LoggedError extends Error {}

interface Work {
  ids: Iterable<string>;
  /** What the log calls them. */
  of: "gameId" | "userId";
  failed: string;
}

/** One that fails is logged, and keeps none of the others from their turn. Throws LoggedError. */
export async function workOnEach(
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
