import { expectResults, readAlerts } from "#test/alerting.ts";
import type { Sample } from "#test/scrapes.ts";

/**
 * Whether the alert's own expression holds, by Prometheus' own tool: one scrape a minute, the last one
 * now. For how long it has to hold is tried by test/alerts.long.test.ts.
 */
export function isMet(alert: string, ...scrapes: Sample[][]): boolean {
  const { expr } = readAlerts().find((each) => each.alert === alert)!;
  const history = scrapes.map((samples, n) => ({ at: n * 60, samples }));
  const question = { expr, at: history.at(-1)!.at };
  try {
    expectResults(history, [{ ...question, isTrue: true }]);
    return true;
  } catch {
    // Also where the tool itself fails.
    expectResults(history, [{ ...question, isTrue: false }]);
    return false;
  }
}
