import { sql } from "kysely";
import { isOneOf, type Tx } from "./db.server.ts";
import type { EntityNoun } from "./schema.ts";

export interface AuditEntry {
  actor: string;
  action: AuditAction;
  subject: string;
  details?: Record<string, unknown>;
}

/** What is recorded of every small table alike. */
export type EntityAction = `${EntityNoun}.${"create" | "edit" | "move" | "remove" | "switch"}`;
export type AuditAction =
  | EntityAction
  | "account.recovery-codes"
  | "account.suspend"
  | "account.two-factor-off"
  | "account.two-factor-on"
  | "account.two-factor-reset"
  | "account.unsuspend"
  | "booking.add"
  | "booking.attendance"
  | "booking.cash-back"
  | "booking.cash-due"
  | "booking.cash-kept"
  | "booking.cash-mistake"
  | "booking.collected"
  | "booking.excuse"
  | "booking.mark-paid"
  | "booking.mark-unpaid"
  | "booking.not-collected"
  | "booking.remove"
  | "booking.unexcuse"
  | "game.cancel"
  | "game.chat-pin"
  | "game.chat-remove"
  | "game.chat-unpin"
  | "game.create"
  | "game.delete"
  | "game.download"
  | "game.edit"
  | "game.message"
  | "game.play-anyway"
  | "game.publish"
  | "game.result"
  | "game.result-removed"
  | "game.unpublish"
  | "inbox.answer"
  | "inbox.done"
  | "inbox.open"
  | "inbox.paid-back"
  | "inbox.refuse"
  | "legal.edit"
  | "log.download"
  | "mail.remove"
  | "mail.send-again"
  | "pack.link"
  | "partner.logo"
  | "payment.resolve"
  | "role.admin"
  | "role.player"
  | "teams.bibs"
  | "teams.make"
  | "teams.move"
  | "teams.place"
  | "teams.publish"
  | "teams.remove"
  | "teams.unpublish"
  | "venue.add-photos"
  | "venue.arrange-photos"
  | "venue.hide"
  | "waitlist.promote"
  | "waitlist.remove"
  | "wallet.grant";

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
