import { sql } from "kysely";
import { type Db, isDatabaseAway } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { gauges } from "./metrics.server.ts";

const EVERY_MS = 60_000;
/** Far above what a network takes. */
const MOST_MS = 30_000;

// Compares this machine's clock with PostgreSQL's, now and every minute: a process with a wrong one
// would call games off and delete too early. An outage leaves the last result.
export async function watchClock(db: Db) {
  let isRight = true;
  const check = async () => {
    const askedAt = Date.now();
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
    const offsetMs = (askedAt + Date.now()) / 2 - rows[0]!.now.getTime();
    gauges.clockOffset.set(offsetMs / 1_000);
    const wasRight = isRight;
    isRight = Math.abs(offsetMs) <= MOST_MS;
    const facts = { offsetSeconds: Math.round(offsetMs / 1_000) };
    if (wasRight && !isRight) log.error(facts, "this machine's clock is not PostgreSQL's");
    if (!wasRight && isRight) log.info(facts, "this machine's clock is right again");
  };
  const checkQuietly = () =>
    check().catch((err: Error) => {
      if (!isDatabaseAway(err)) log.error({ err }, "clock not checked");
    });
  await checkQuietly();
  const timer = setInterval(checkQuietly, EVERY_MS).unref();
  return { isRight: () => isRight, stop: () => clearInterval(timer) };
}
