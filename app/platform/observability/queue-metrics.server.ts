import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { FAILED } from "#app/platform/waiting-mails.server.ts";

interface QueueMetrics {
  /** What the queue's name begins with: mail, push or waitlist. */
  kind: string;
  waiting: number;
  running: number;
  failing: number;
  oldestSeconds: number;
}

// A delayed job is late from its time on; a failed one has been late since it was created.
const DUE_SINCE = sql`case when state = 'retry' then created_on else start_after end`;

export async function listQueueMetrics(db: Db): Promise<QueueMetrics[]> {
  const { rows } = await sql<QueueMetrics>`
    select split_part(name, '.', 1) as kind,
      count(*) filter (where state = 'created') as waiting,
      count(*) filter (where state = 'active') as running,
      count(*) filter (where state = 'retry') as failing,
      coalesce(extract(epoch from now() - min(${DUE_SINCE}) filter (where ${DUE_SINCE} <= now())),
        0)::float as "oldestSeconds"
    from pgboss.job
    where state in ('created', 'retry', 'active') and name like '%.%' group by 1`.execute(db);
  return rows;
}

export async function countGivenUp(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pgboss.job
    where name = ${FAILED} and state = 'created'`.execute(db);
  return rows[0]!.count;
}
