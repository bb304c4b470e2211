import { sql } from "kysely";
import type { Tx } from "./db.server.ts";
import { FAILED, type Queue } from "./jobs.server.ts";

/** A job that was given up; it is kept for 30 days. */
export interface FailedJob {
  id: string;
  queue: Queue;
  queuedAt: Date;
  failedAt: Date;
  /** What kind of error it was; null where its process died or took too long. */
  error: string | null;
  /** The mail server's reply code, or the code of what broke. */
  code: string | null;
  reason: string | null;
  hasToken: boolean;
  /** It had been put back once, and failed again. */
  isRepeated: boolean;
}

/** The jobs that were given up, with their `data` for features that ask whom they are about. */
export const FAILED_JOBS = sql<FailedJob & { data: object }>`
  select id, source_name as queue, source_created_on as "queuedAt", created_on as "failedAt",
    source_output->>'name' as error, source_output->>'code' as code,
    source_output->>'message' as reason, data ? 'token' as "hasToken",
    source_root_id <> source_id as "isRepeated", data
  from pgboss.job where name = ${sql.lit(FAILED)} and state = 'created'`;

/** Deletes a job that was given up; false where it is gone. */
export async function removeFailedJob(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from pgboss.job where name = ${FAILED} and id = ${id}::uuid returning id`.execute(tx);
  return rows.length > 0;
}
