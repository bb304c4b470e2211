import { sql } from "kysely";
import type { Tx } from "./db.server.ts";

export interface Deed {
  /** Who: a user id, or "command" for the command line. */
  actor: string;
  /** What, such as "wallet.grant". */
  action: string;
  /** To whom or what: an id. */
  subject: string;
  details?: Record<string, unknown>;
}

/** Records an admin deed on the deed's own transaction; the log cannot be changed afterwards. */
export async function recordDeed(tx: Tx, deed: Deed): Promise<void> {
  const { details = {}, ...rest } = deed;
  await tx
    .insertInto("audit_log")
    .values({ ...rest, details: JSON.stringify(details) })
    .execute();
}

/**
 * What earlier submissions of this form recorded, oldest first. Ask under the lock that its
 * action takes.
 */
export async function listAuditOfForm(
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
  /** Where one form may act on several, all of them are looked for. */
  subject?: string;
  /** Recorded among the details. */
  formKey: string | undefined;
}
