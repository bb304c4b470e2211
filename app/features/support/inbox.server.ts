import { type RawBuilder, sql } from "kysely";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import {
  type InboxFilter,
  TICKET_KINDS,
  TICKET_STATUSES,
  type TicketKind,
  type TicketStatus,
} from "./rules.ts";
import { type WithdrawalState, withdrawalState } from "./withdrawals.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { type Span, spanRows } from "#app/platform/date-ranges.server.ts";

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
  withdrawalState: WithdrawalState | null;
}

/** Newest first. Each kind in each state is read from its own index, no further than needed. */
export async function listInbox(
  db: Db,
  { filter, after, limit }: { filter: InboxFilter; after: string | null; limit: number },
): Promise<{ tickets: InboxTicket[]; next: string | null }> {
  const parts = everyPart(filter, before(after), limit + 1);
  const { rows } = await sql<InboxTicket & { micros: string }>`
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
  const tickets = rows.slice(0, limit);
  const last = rows.length > limit ? tickets.at(-1) : undefined;
  return { tickets, next: last ? writeCursor([last.micros, last.id]) : null };
}

export async function countOpenTickets(db: Db, most: number): Promise<number> {
  const open: InboxFilter = { kind: null, status: "open" };
  const parts = everyPart(open, sql``, most);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${parts}) open`.execute(db);
  return rows[0]!.count;
}

interface Part {
  kind: TicketKind;
  status: TicketStatus;
}

function everyPart(
  { kind, status }: InboxFilter,
  condition: RawBuilder<unknown>,
  most: number,
): RawBuilder<unknown> {
  const parts = (kind ? [kind] : TICKET_KINDS).flatMap((one) =>
    (status ? [status] : TICKET_STATUSES).map((state) => ({ kind: one, status: state })),
  );
  // Ordered also for the count: else a long table might be read to its end.
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

export interface SupportTicket {
  id: string;
  kind: TicketKind;
  status: TicketStatus;
  at: Date;
  subject: string | null;
  rating: number | null;
  text: string | null;
  writer: { id: string; name: string; email: string; picture: string | null; isGone: boolean };
  withdrawal: WithdrawalDetails | null;
  answers: Answer[];
}

export interface WithdrawalDetails {
  state: WithdrawalState;
  packName: string;
  isMonthly: boolean;
  stripeObjectId: string;
  refundCents: number;
  creditsCents: number;
  paidBack: { at: Date; by: string } | null;
  /** Whether Stripe has reported the whole refund, and whether any of it. */
  isRefunded: boolean;
  isBegun: boolean;
  /** False where it was stated before credits left at once: they go with the refund. */
  creditsTaken: boolean;
  /** How it ended without being paid back; `by` and `reason` where it was rejected. */
  ended: { outcome: "refused" | "taken_back"; at: Date; by: string; reason: string | null } | null;
}

interface Answer {
  id: string;
  text: string;
  at: Date;
  by: string;
}

export async function findTicket(db: Db, ticketId: string): Promise<SupportTicket | null> {
  if (!isId(ticketId)) return null;
  const [row, answers] = await Promise.all([findRow(db, ticketId), listAnswers(db, ticketId)]);
  if (!row) return null;
  const { userId, name, email, picture, isGone, packName, refund, credits, ...more } = row;
  const { paidBackAt, paidBackBy, stripeObjectId, isRefunded, isBegun, ...rest } = more;
  const { creditsTaken, outcome, endedAt, refusedBy, refusalReason, ...others } = rest;
  const { state, isMonthly, ...ticket } = others;
  return {
    ...ticket,
    writer: { id: userId, name, email, picture, isGone },
    withdrawal: refund
      ? {
          state,
          packName,
          isMonthly,
          stripeObjectId,
          isRefunded,
          isBegun,
          creditsTaken,
          refundCents: centsFromNumeric(refund),
          creditsCents: centsFromNumeric(credits),
          paidBack: paidBackAt && { at: paidBackAt, by: paidBackBy },
          ended: outcome && { outcome, at: endedAt, by: refusedBy, reason: refusalReason },
        }
      : null,
    answers,
  };
}

type Row = Pick<SupportTicket, "id" | "kind" | "status" | "at" | "subject" | "rating" | "text"> &
  Pick<WithdrawalDetails, "state" | "packName" | "isMonthly" | "stripeObjectId" | "creditsTaken"> &
  Pick<WithdrawalDetails, "isRefunded" | "isBegun"> & {
    userId: string;
    name: string;
    email: string;
    picture: string | null;
    isGone: boolean;
    /** Null, with all of the withdrawal, where the ticket is about none. */
    refund: string | null;
    credits: string;
    paidBackAt: Date | null;
    paidBackBy: string;
    outcome: "refused" | "taken_back" | null;
    endedAt: Date;
    refusedBy: string;
    refusalReason: string | null;
  };

async function findRow(db: Db, ticketId: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ticket.id, ticket.kind, ticket.status, ticket.created_at as at, ticket.subject,
      ticket.rating, ticket.text, ticket.user_id as "userId",
      writer.first_name || ' ' || writer.last_name as name, writer.email,
      writer.profile_picture_url as picture, writer.deleted_at is not null as "isGone",
      withdrawals.amount_eur as refund, withdrawals.credits_eur as credits,
      ${withdrawalState()} as state, subscription_id is not null as "isMonthly",
      pack_name as "packName", stripe_object_id as "stripeObjectId",
      paid_back_at as "paidBackAt", payer.first_name || ' ' || payer.last_name as "paidBackBy",
      payments.refunded_eur >= withdrawals.refunded_before_eur + withdrawals.amount_eur
        as "isRefunded",
      payments.refunded_eur > withdrawals.refunded_before_eur as "isBegun",
      credits_taken as "creditsTaken", outcome, ended_at as "endedAt",
      refuser.first_name || ' ' || refuser.last_name as "refusedBy",
      refusal_reason as "refusalReason"
    from (
      select id, user_id, kind, status, created_at, subject, null::integer as rating,
        message as text, withdrawal_id
      from support_messages where id = ${ticketId}
      union all
      select id, user_id, 'review', status, created_at, null, rating, comment, null
      from reviews where id = ${ticketId}
    ) ticket
    join profiles writer on writer.user_id = ticket.user_id
    left join withdrawals on withdrawals.id = ticket.withdrawal_id
    left join payments on payments.id = withdrawals.payment_id
    left join credit_packs on credit_packs.id = payments.pack_id
    left join profiles payer on payer.user_id = withdrawals.paid_back_by
    left join profiles refuser on refuser.user_id = withdrawals.refused_by`.execute(db);
  return rows[0];
}

async function listAnswers(db: Db, ticketId: string): Promise<Answer[]> {
  const { rows } = await sql<Answer>`
    select id, answer as text, answered_at as at, first_name || ' ' || last_name as by
    from letter_answers join profiles on profiles.user_id = answered_by
    where message_id = ${ticketId} or review_id = ${ticketId}
    order by answered_at, id`.execute(db);
  return rows;
}

export interface RatedWeek {
  reviews: number;
  stars: number;
}

export async function countReviews(
  db: Db,
  { weeks, now }: { weeks: Span[]; now: Date },
): Promise<RatedWeek[] | null> {
  const { rows } = await sql<RatedWeek & { hasAny: boolean }>`
    select counted.*, (select min(created_at) from reviews) is not null as "hasAny"
    from ${spanRows(weeks, now)} cross join lateral (
      select count(*) as reviews, coalesce(sum(rating), 0) as stars from reviews
      where created_at >= span.starts and created_at < span.ends
    ) counted
    order by span.place`.execute(db);
  if (!rows[0]?.hasAny) return null;
  return rows.map(({ reviews, stars }) => ({ reviews, stars }));
}
