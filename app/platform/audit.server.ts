import { sql } from "kysely";
import type { AuditAction } from "./audit-actions.ts";
import { isOneOf, type Tx } from "./db.server.ts";

export interface AuditEntry {
  actor: string;
  action: AuditAction;
  subject: string;
  details?: Record<string, unknown>;
}

/** Append-only, on the action's own transaction. In platform because every feature writes it. */
export const recordAudit = (tx: Tx, entry: AuditEntry) => recordAudits(tx, [entry]);

/** In this order, in one statement whose text is the same whatever their number. */
export async function recordAudits(tx: Tx, entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const column = (name: "actor" | "action" | "subject") => entries.map((entry) => entry[name]);
  const details = entries.map((entry) => JSON.stringify(entry.details ?? {}));
  await sql`
    insert into audit_log (actor, action, subject, details)
    select actor, action, subject, details::jsonb
    from unnest(${column("actor")}::text[], ${column("action")}::text[],
      ${column("subject")}::text[], ${details}::text[])
      with ordinality as entry (actor, action, subject, details, position)
    order by position`.execute(tx);
}

/** What this form has already recorded, oldest first. Call it under the action's lock. */
export async function listAuditEntriesOfForm(
  tx: Tx,
  // Without a subject, entries about any subject count.
  entry: { action: AuditAction; subject?: string | string[]; formKey: string | undefined },
): Promise<Record<string, unknown>[]> {
  const { action, subject, formKey } = entry;
  if (!formKey) return [];
  const entries = await tx
    .selectFrom("audit_log")
    .select("details")
    .where("action", "=", action)
    .where(sql`details ->> 'formKey'`, "=", formKey)
    .$if(subject !== undefined, (query) =>
      query.where(isOneOf("subject", [subject!].flat(), "text")),
    )
    .orderBy("id")
    .execute();
  return entries.map(({ details }) => details as Record<string, unknown>);
}
