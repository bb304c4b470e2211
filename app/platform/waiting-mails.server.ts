import { sql } from "kysely";
import type { Tx } from "./db.server.ts";

/** The error's name of an email that was put aside. */
export const PUT_ASIDE = "PutAside";

const OUTPUT = JSON.stringify({ name: PUT_ASIDE, message: "waited when the backup was taken" });

/**
 * For a database that was restored: what waited then has gone out since. Emails are kept for admins
 * like those that were given up; the others would come too late. Returns how many are kept.
 */
export async function putMailsAside(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    with waiting as (
      delete from pgboss.job where state in ('created', 'retry', 'active')
        and (name like 'mail.%' or name = 'push.send') returning *)
    insert into pgboss.job (name, data, retry_limit, keep_until, source_name, source_id,
      source_created_on, source_retry_count, source_output, source_root_id)
    select kept.name, data, kept.retry_limit, now() + make_interval(secs => kept.retention_seconds),
      waiting.name, id, waiting.created_on, retry_count, ${OUTPUT}::jsonb,
      coalesce(source_root_id, id)
    from waiting join pgboss.queue kept on kept.name = waiting.dead_letter`.execute(tx);
  return Number(numAffectedRows);
}
