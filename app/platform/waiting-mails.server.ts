import { sql } from "kysely";
import type { Tx } from "./db.server.ts";

export const PUT_ASIDE = "PutAside";

const OUTPUT = JSON.stringify({ name: PUT_ASIDE, message: "waited when the backup was taken" });

// For a restored database: what waited then has been sent since. Keeps emails for admins, as if
// given up, and drops push messages, which would come too late. Returns how many are kept.
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
