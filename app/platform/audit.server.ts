import { sql } from "kysely";
import type { Tx } from "./db.server.ts";

interface AuditEntry {
  actor: string;
  action: string;
  subject: string;
  details?: Record<string, unknown>;
}

/** Append-only, on the action's own transaction. In platform because every feature writes it. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { details = {}, ...rest } = entry;
  await tx
    .insertInto("audit_log")
    .values({ ...rest, details: JSON.stringify(details) })
    .execute();
}

/** What this form has already recorded, oldest first. Call it under the action's lock. */
export async function listAuditEntriesOfForm(
  tx: Tx,
  // Without a subject, entries about any subject count.
  entry: { action: string; subject?: string; formKey: string | undefined },
): Promise<Record<string, unknown>[]> {
  const { action, subject, formKey } = entry;
  if (!formKey) return [];
  const entries = await tx
    .selectFrom("audit_log")
    .select("details")
    .where("action", "=", action)
    .where(sql`details ->> 'formKey'`, "=", formKey)
    .$if(subject !== undefined, (query) => query.where("subject", "=", subject!))
    .orderBy("id")
    .execute();
  return entries.map(({ details }) => details as Record<string, unknown>);
}
