import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import type { LetterKind, LetterStatus } from "./inbox-filter.ts";
import { type WithdrawalState, withdrawalState } from "./withdrawal-state.server.ts";

export interface Letter {
  id: string;
  kind: LetterKind;
  status: LetterStatus;
  at: Date;
  subject: string | null;
  rating: number | null;
  text: string | null;
  writer: { id: string; name: string; email: string; picture: string | null; isGone: boolean };
  withdrawal: PayBack | null;
  answers: Answer[];
}

/** What a withdrawal asks for, and how far that has come. */
export interface PayBack {
  state: WithdrawalState;
  packName: string;
  /** Whether a subscription would go on to renew. */
  isMonthly: boolean;
  /** The checkout session or invoice at Stripe. */
  stripeObjectId: string;
  refundCents: number;
  creditsCents: number;
  paidBack: { at: Date; by: string } | null;
  /** Whether Stripe has reported the whole refund, and whether any of it. */
  isRefunded: boolean;
  isBegun: boolean;
  /** False where it was stated before credits left at once: they go with the refund. */
  creditsTaken: boolean;
  /** How it ended without being paid back; `by` and `reason` where it was refused. */
  ended: { outcome: "refused" | "taken_back"; at: Date; by: string; reason: string | null } | null;
}

export interface Answer {
  id: string;
  text: string;
  at: Date;
  by: string;
}

/** One letter with all that was answered to it; null where there is none. */
export async function findLetter(db: Db, letterId: string): Promise<Letter | null> {
  if (!isId(letterId)) return null;
  const [row, answers] = await Promise.all([findRow(db, letterId), listAnswers(db, letterId)]);
  if (!row) return null;
  const { userId, name, email, picture, isGone, packName, refund, credits, ...more } = row;
  const { paidBackAt, paidBackBy, stripeObjectId, isRefunded, isBegun, ...rest } = more;
  const { creditsTaken, outcome, endedAt, refusedBy, refusalReason, ...others } = rest;
  const { state, isMonthly, ...letter } = others;
  return {
    ...letter,
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

interface Row extends Pick<
  Letter,
  "id" | "kind" | "status" | "at" | "subject" | "rating" | "text"
> {
  userId: string;
  name: string;
  email: string;
  picture: string | null;
  isGone: boolean;
  /** With all below it null where the letter is no withdrawal. */
  refund: string | null;
  credits: string;
  state: WithdrawalState;
  packName: string;
  isMonthly: boolean;
  stripeObjectId: string;
  paidBackAt: Date | null;
  paidBackBy: string;
  isRefunded: boolean;
  isBegun: boolean;
  creditsTaken: boolean;
  outcome: "refused" | "taken_back" | null;
  endedAt: Date;
  refusedBy: string;
  refusalReason: string | null;
}

async function findRow(db: Db, letterId: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select letter.id, letter.kind, letter.status, letter.created_at as at, letter.subject,
      letter.rating, letter.text, letter.user_id as "userId",
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
      from support_messages where id = ${letterId}
      union all
      select id, user_id, 'review', status, created_at, null, rating, comment, null
      from reviews where id = ${letterId}
    ) letter
    join profiles writer on writer.user_id = letter.user_id
    left join withdrawals on withdrawals.id = letter.withdrawal_id
    left join payments on payments.id = withdrawals.payment_id
    left join credit_packs on credit_packs.id = payments.pack_id
    left join profiles payer on payer.user_id = withdrawals.paid_back_by
    left join profiles refuser on refuser.user_id = withdrawals.refused_by`.execute(db);
  return rows[0];
}

async function listAnswers(db: Db, letterId: string): Promise<Answer[]> {
  const { rows } = await sql<Answer>`
    select id, answer as text, answered_at as at, first_name || ' ' || last_name as by
    from letter_answers join profiles on profiles.user_id = answered_by
    where message_id = ${letterId} or review_id = ${letterId}
    order by answered_at, id`.execute(db);
  return rows;
}
