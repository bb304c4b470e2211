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

/** What this form recorded before, oldest first. Call it under the lock that the action takes. */
export async function listAuditEntriesOfForm(
  tx: Tx,
  { action, subject, formKey }: FormEntry,
): Promise<Record<string, unknown>[]> {
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

interface FormEntry {
  action: string;
  /** Without it, entries about any subject count. */
  subject?: string;
  formKey: string | undefined;
}
