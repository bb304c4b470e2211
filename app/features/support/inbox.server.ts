import { type RawBuilder, sql } from "kysely";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import {
  type InboxFilter,
  LETTER_KINDS,
  LETTER_STATUSES,
  type LetterKind,
  type LetterStatus,
} from "./inbox-filter.ts";
import { type WithdrawalState, withdrawalState } from "./withdrawal-state.server.ts";

/** A letter as the list shows it. */
export interface InboxLetter {
  id: string;
  kind: LetterKind;
  status: LetterStatus;
  at: Date;
  name: string;
  /** Of a message and a withdrawal. */
  subject: string | null;
  /** Of a review. */
  rating: number | null;
  /** How it begins; a review may be of stars alone. */
  text: string | null;
  isAnswered: boolean;
  /** Null where it is no withdrawal. */
  withdrawalState: WithdrawalState | null;
}

interface Page {
  filter: InboxFilter;
  /** Where the page begins, as the page before it has said; null for the first. */
  after: string | null;
  limit: number;
}

/**
 * A page of all that players wrote, newest first. One query: each kind in each state is read from
 * its own index, and no further than the page needs.
 */
export async function listInbox(
  db: Db,
  { filter, after, limit }: Page,
): Promise<{ letters: InboxLetter[]; next: string | null }> {
  const parts = everyPart(filter, before(after), limit + 1);
  const { rows } = await sql<InboxLetter & { micros: string }>`
    select found.*, first_name || ' ' || last_name as name,
      exists (select from letter_answers where message_id = found.id or review_id = found.id)
        as "isAnswered",
      (select ${withdrawalState()} from withdrawals
        join payments on payments.id = withdrawals.payment_id
        where withdrawals.id = found.withdrawal_id) as "withdrawalState",
      (extract(epoch from found.at) * 1000000)::bigint::text as micros
    from (${parts}) found
    join profiles on profiles.user_id = found.user_id
    order by at desc, id desc limit ${sql.lit(limit + 1)}`.execute(db);
  const letters = rows.slice(0, limit);
  const last = rows.length > limit ? letters.at(-1) : undefined;
  return { letters, next: last ? writeCursor([last.micros, last.id]) : null };
}

/** How many letters are open; counted no further than `most` of each kind. */
export async function countOpenLetters(db: Db, most: number): Promise<number> {
  const open: InboxFilter = { kind: null, status: "open" };
  const parts = everyPart(open, sql``, most);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${parts}) open`.execute(db);
  return rows[0]!.count;
}

interface Part {
  kind: LetterKind;
  status: LetterStatus;
}

/** The newest of each kind in each state, at most so many of each. */
function everyPart(
  { kind, status }: InboxFilter,
  condition: RawBuilder<unknown>,
  most: number,
): RawBuilder<unknown> {
  const parts = (kind ? [kind] : LETTER_KINDS).flatMap((one) =>
    (status ? [status] : LETTER_STATUSES).map((state) => ({ kind: one, status: state })),
  );
  // In order where that does not matter too: else a long table might be read to its end.
  const read = (part: Part) => sql`(${columnsOf(part)} ${condition}
    order by created_at desc, id desc limit ${sql.lit(most)})`;
  return sql.join(parts.map(read), sql` union all `);
}

function columnsOf({ kind, status }: Part): RawBuilder<unknown> {
  const own = sql`id, user_id, status, created_at as at`;
  const isIt = sql`status = ${sql.lit(status)}`;
  return kind === "review"
    ? sql`select ${own}, 'review' as kind, null as subject, rating, left(comment, 200) as text,
          null::uuid as withdrawal_id
        from reviews where ${isIt}`
    : sql`select ${own}, kind, subject, null::integer as rating, left(message, 200) as text,
          withdrawal_id
        from support_messages where kind = ${sql.lit(kind)} and ${isIt}`;
}

function before(after: string | null): RawBuilder<unknown> {
  const [micros = "", id = ""] = readCursor(after, 2) ?? [];
  if (!/^\d{1,16}$/.test(micros) || !isId(id)) return sql``;
  const at = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`;
  return sql`and (created_at, id) < (${at}, ${id}::uuid)`;
}
