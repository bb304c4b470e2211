import { type RawBuilder, sql } from "kysely";
import { isBeyond, toMicros, writeCursor } from "#app/platform/cursor.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import {
  type InboxFilter,
  TICKET_KINDS,
  TICKET_STATUSES,
  type TicketKind,
  type TicketStatus,
} from "./rules.ts";
import { findReported } from "./report-message.server.ts";
import { listThread } from "./tickets.server.ts";
import { selectWithdrawals, type WithdrawalState, withdrawalState } from "./withdrawals.server.ts";
import { countInSpans, type Span } from "#app/platform/date-ranges.server.ts";

export interface InboxTicket {
  id: string;
  kind: TicketKind;
  status: TicketStatus;
  at: Date;
  name: string;
  subject: string | null;
  rating: number | null;
  text: string | null;
  isAnswered: boolean;
  isReplied: boolean;
  withdrawalState: WithdrawalState | null;
  withdrawalStatedAt: Date | null;
}

/** Newest first. Reads each kind in each state from its index, no further than needed. */
export async function listInbox(
  db: Db,
  { filter, after, limit }: { filter: InboxFilter; after: string | null; limit: number },
): Promise<{ tickets: InboxTicket[]; next: string | null }> {
  const parts = everyPart(filter, sql`and ${isBeyond(after, "created_at", "desc")}`, limit + 1);
  const { rows } = await sql<InboxTicket & { micros: string }>`
    select found.*, first_name || ' ' || last_name as name,
      exists (select from letter_answers where message_id = found.id or review_id = found.id)
        as "isAnswered",
      exists (select from ticket_replies join letter_answers on letter_answers.id = answer_id
        where message_id = found.id or review_id = found.id) as "isReplied",
      (select ${withdrawalState()} from withdrawals
        join payments on payments.id = withdrawals.payment_id
        where withdrawals.id = found.withdrawal_id) as "withdrawalState",
      (select stated_at from withdrawals where id = found.withdrawal_id) as "withdrawalStatedAt",
      ${toMicros("found.at")} as micros
    from (${parts}) found
    join profiles on profiles.user_id = found.user_id
    order by at desc, id desc limit ${sql.lit(limit + 1)}`.execute(db);
  const tickets = rows.slice(0, limit);
  const last = rows.length > limit ? tickets.at(-1) : undefined;
  return { tickets, next: last ? writeCursor([last.micros, last.id]) : null };
}

export type PlayersTicket = Pick<
  InboxTicket,
  "id" | "kind" | "status" | "at" | "subject" | "rating"
>;

export async function listTicketsOf(db: Db, playerId: string, limit: number) {
  const newest = sql`where user_id = ${playerId} order by created_at desc limit ${sql.lit(limit)}`;
  const { rows } = await sql<PlayersTicket>`
    select * from (
      (select id, kind, status, created_at as at, subject, null::integer as rating
        from support_messages ${newest})
      union all
      (select id, 'review', status, created_at, null, rating from reviews ${newest})
    ) written order by at desc, id limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

export async function countOpenTickets(db: Db, most: number): Promise<Record<TicketKind, number>> {
  const open: InboxFilter = { kind: null, status: "open" };
  const parts = everyPart(open, sql``, most);
  const { rows } = await sql<{ kind: TicketKind; count: number }>`
    select kind, count(*)::integer as count from (${parts}) open group by kind`.execute(db);
  const counts = { message: 0, report: 0, review: 0, withdrawal: 0 };
  for (const { kind, count } of rows) counts[kind] = count;
  return counts;
}

type Part = { kind: TicketKind; status: TicketStatus };

function everyPart(
  { kind, status }: InboxFilter,
  condition: RawBuilder<unknown>,
  most: number,
): RawBuilder<unknown> {
  const parts = (kind ? [kind] : TICKET_KINDS).flatMap((one) =>
    (status ? [status] : TICKET_STATUSES).map((state) => ({ kind: one, status: state })),
  );
  // Ordered for the count as well, or a long table might be read to its end.
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

export type SupportTicket = NonNullable<Awaited<ReturnType<typeof findTicket>>>;

export async function findTicket(db: Db, ticketId: string) {
  if (!isId(ticketId)) return null;
  const [row, thread] = await Promise.all([findRow(db, ticketId), listThread(db, ticketId)]);
  if (!row) return null;
  const { withdrawalId, reportedId, ...ticket } = row;
  const withdrawal = withdrawalId === null ? null : await findWithdrawal(db, withdrawalId);
  const reported = reportedId === null ? null : await findReported(db, reportedId);
  return { ...ticket, withdrawal, reported, thread };
}

interface Row extends Pick<InboxTicket, "id" | "kind" | "status" | "at" | "subject" | "rating"> {
  text: string | null;
  withdrawalId: string | null;
  reportedId: string | null;
  reportedUserId: string | null;
  writer: { id: string; name: string; email: string; picture: string | null; isGone: boolean };
}

async function findRow(db: Db, ticketId: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ticket.id, kind, status, ticket.created_at as at, subject, rating, text,
      withdrawal_id as "withdrawalId", reported_message_id as "reportedId",
      reported_user_id as "reportedUserId", json_build_object(
        'id', ticket.user_id, 'name', first_name || ' ' || last_name, 'email', email,
        'picture', profile_picture_url, 'isGone', deleted_at is not null
      ) as writer
    from (
      select id, user_id, kind, status, created_at, subject, null::integer as rating,
        message as text, withdrawal_id, reported_message_id, reported_user_id
      from support_messages where id = ${ticketId}
      union all
      select id, user_id, 'review', status, created_at, null, rating, comment, null, null, null
      from reviews where id = ${ticketId}
    ) ticket
    join profiles on profiles.user_id = ticket.user_id`.execute(db);
  return rows[0];
}

async function findWithdrawal(db: Db, withdrawalId: string) {
  const { paidBackAt, paidBackBy, outcome, endedAt, rejectedBy, reason, ...withdrawal } =
    await selectWithdrawals(db)
      .leftJoin("profiles as payer", "payer.user_id", "paid_back_by")
      .leftJoin("profiles as rejecter", "rejecter.user_id", "refused_by")
      .select(["stripe_object_id as stripeObjectId", "paid_back_at as paidBackAt", "outcome"])
      .select("stated_at as statedAt")
      .select(
        sql<string | null>`(select id from payment_references reference
          where reference.stripe_object_id = payments.stripe_object_id and starts_with(id, 'pi_')
          order by id limit 1)`.as("paymentIntentId"),
      )
      .select(["ended_at as endedAt", "refusal_reason as reason"])
      // False for old withdrawals, whose credits leave with the refund.
      .select("credits_taken as creditsTaken")
      .select([
        sql<boolean>`subscription_id is not null`.as("isMonthly"),
        sql<boolean>`payments.refunded_eur >= refunded_before_eur + withdrawals.amount_eur`.as(
          "isFullyRefunded",
        ),
        sql<string>`payer.first_name || ' ' || payer.last_name`.as("paidBackBy"),
        sql<string>`rejecter.first_name || ' ' || rejecter.last_name`.as("rejectedBy"),
      ])
      .where("withdrawals.id", "=", withdrawalId)
      .executeTakeFirstOrThrow();
  return {
    ...withdrawal,
    paidBack: paidBackAt && { at: paidBackAt, by: paidBackBy },
    ended: outcome && { outcome, at: endedAt!, by: rejectedBy, reason },
  };
}

export interface RatedWeek {
  reviews: number;
  stars: number;
}

export function countReviews(db: Db, { weeks, now }: { weeks: Span[]; now: Date }) {
  const counted = sql`select count(*) as reviews, coalesce(sum(rating), 0) as stars
    from reviews where created_at >= span.starts and created_at < span.ends`;
  const hasAny = sql`(select min(created_at) from reviews) is not null`;
  return countInSpans<RatedWeek>(db, { spans: weeks, now }, { counted, hasAny });
}
