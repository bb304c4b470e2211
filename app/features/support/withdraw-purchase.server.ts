import { randomUUID } from "node:crypto";
import { momentWords } from "#app/platform/clock.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { creditsCount, euros, numericFromCents, centsFromNumeric } from "#app/platform/money.ts";
import { lockWallet } from "#app/features/wallet/ledger.server.ts";
import { withdrawCredits, returnWithdrawn } from "#app/features/wallet/reclaim-credits.server.ts";
import { isWithdrawn, listPurchases, type Purchase } from "./withdrawals.server.ts";
import { sql } from "kysely";
import { recordDeed } from "#app/platform/audit.server.ts";
import { isId } from "#app/platform/ids.ts";
import { lockDebtor } from "#app/features/wallet/debts.server.ts";
import { lockLetter, setStatus, hasEnded } from "./tickets.server.ts";

interface Statement {
  userId: string;
  paymentId: string;
  /** Of the form (formKeyOf): the withdrawal's id, so that what arrives twice is one. */
  formKey?: string | undefined;
  now: Date;
}

/**
 * Records that a player withdraws from a purchase: the statement, its acknowledgement by mail and
 * a row in the organiser's inbox, who refunds at Stripe. Its credits leave the wallet at once.
 * Answers null, and writes nothing, where the purchase is unknown, somebody else's, used up,
 * withdrawn from already or too old, or where this form has been taken before (isWithdrawn).
 */
export async function withdrawPurchase(
  db: Db,
  jobs: Jobs,
  { userId, paymentId, formKey: id = randomUUID(), now }: Statement,
): Promise<Purchase | null> {
  return db.transaction().execute(async (tx) => {
    // Spending waits, and so does the same statement sent twice.
    await lockWallet(tx, userId);
    // A form that comes late must not undo that the player took its withdrawal back.
    if (await isWithdrawn(tx, { userId, paymentId, formKey: id })) return null;
    const purchases = await listPurchases(tx, { userId, now });
    const purchase = purchases.find((own) => own.paymentId === paymentId);
    if (!purchase) return null;
    await tx
      .insertInto("withdrawals")
      .values({
        id,
        user_id: userId,
        payment_id: paymentId,
        credits_eur: numericFromCents(purchase.unusedCents),
        amount_eur: numericFromCents(purchase.refundCents),
        refunded_before_eur: numericFromCents(purchase.refundedCents),
        credits_taken: true,
        stated_at: now,
      })
      .execute();
    const takenCents = await withdrawCredits(tx, { withdrawalId: id, paymentId });
    // Whole cents of money may pay for a cent of credits less than there is.
    await tx
      .updateTable("withdrawals")
      .set({ credits_eur: numericFromCents(takenCents) })
      .where("id", "=", id)
      .execute();
    const { id: messageId } = await tx
      .insertInto("support_messages")
      .values({
        user_id: userId,
        kind: "withdrawal",
        withdrawal_id: id,
        ...ticketFor(purchase, now),
        created_at: now,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await jobs.enqueue(tx, "mail.withdrawal", { withdrawalId: id });
    await jobs.enqueue(tx, "mail.support-message", { messageId });
    return purchase;
  });
}

/** What is stored in the inbox. What to do about it changes, and is told from the state. */
function ticketFor(purchase: Purchase, now: Date) {
  const { packName, stripeObjectId, amountCents, unusedCents, refundCents } = purchase;
  return {
    subject: `Withdrawal: ${packName}, ${euros(refundCents)}`,
    message: [
      `The player withdrew from a purchase on ${momentWords(now)}.`,
      `Purchase: ${packName}, ${euros(amountCents)}, ${stripeObjectId}`,
      `Unused: ${creditsCount(unusedCents)}`,
    ].join("\n"),
  };
}

/** So often a withdrawal from the same purchase may be taken back. */
const MOST_TAKEN_BACK = 3;

export type EndResult =
  /** Repeated it changes nothing, and is still ok. */
  | { ok: true }
  /** "too-late": it is paid back, refunded by Stripe, or ended the other way. */
  | { ok: false; reason: "not-found" | "too-late" };

/** A player takes a withdrawal back: its credits return to the wallet, and both sides are mailed. */
export async function takeWithdrawalBack(
  db: Db,
  jobs: Jobs,
  { withdrawalId, userId, now }: { withdrawalId: string; userId: string; now: Date },
): Promise<EndResult> {
  if (!isId(withdrawalId)) return NOT_FOUND;
  return db.transaction().execute(async (tx) => {
    const ended = { outcome: "taken_back", refused_by: null, refusal_reason: null } as const;
    const found = tx.selectFrom("withdrawals").select("id").where("user_id", "=", userId);
    const own = await found.where("id", "=", withdrawalId).executeTakeFirst();
    if (own && (await wasTakenBackOften(tx, own.id))) return { ok: false, reason: "too-late" };
    return own ? end(tx, jobs, own.id, { ...ended, ended_at: now }) : NOT_FOUND;
  });
}

/** Stating it is a right, going back on it a courtesy: each round is three emails and a ticket. */
async function wasTakenBackOften(tx: Tx, withdrawalId: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from withdrawals own
    join withdrawals former using (payment_id)
    where own.id = ${withdrawalId} and former.id <> own.id and former.outcome = 'taken_back'`.execute(
    tx,
  );
  return rows[0]!.count >= MOST_TAKEN_BACK;
}

interface Refusal {
  ticketId: string;
  actor: string;
  /** The player gets it by mail. */
  reason: string;
  now: Date;
}

/** An organiser refuses a withdrawal: its credits return, and both sides are mailed. */
export async function refuseWithdrawal(
  db: Db,
  jobs: Jobs,
  { ticketId, actor, reason, now }: Refusal,
): Promise<EndResult> {
  if (!isId(ticketId)) return NOT_FOUND;
  return db.transaction().execute(async (tx) => {
    const ticket = await tx
      .selectFrom("support_messages")
      .select("withdrawal_id")
      .where("id", "=", ticketId)
      .executeTakeFirst();
    if (!ticket?.withdrawal_id) return NOT_FOUND;
    const ended = { outcome: "refused", refused_by: actor, refusal_reason: reason } as const;
    return end(tx, jobs, ticket.withdrawal_id, { ...ended, ended_at: now });
  });
}

const NOT_FOUND = { ok: false, reason: "not-found" } as const;

interface Ended {
  outcome: "refused" | "taken_back";
  ended_at: Date;
  refused_by: string | null;
  refusal_reason: string | null;
}

/** Wallet, ticket, withdrawal: the order in which all that ends or pays a withdrawal locks. */
async function end(tx: Tx, jobs: Jobs, withdrawalId: string, ended: Ended): Promise<EndResult> {
  const { paymentId, ticketId } = await findParts(tx, withdrawalId);
  await lockDebtor(tx, paymentId);
  const ticket = ticketId ? await lockLetter(tx, ticketId) : null;
  const state = await lockState(tx, withdrawalId);
  if (state.outcome === ended.outcome) return { ok: true };
  if (state.outcome || state.isPaidBack) return { ok: false, reason: "too-late" };
  await tx.updateTable("withdrawals").set(ended).where("id", "=", withdrawalId).execute();
  const notes = ended.outcome === "refused" ? "Withdrawal refused" : "Withdrawal taken back";
  await returnWithdrawn(tx, { withdrawalId, paymentId, notes, now: ended.ended_at });
  if (ticket) await setStatus(tx, ticket, "done");
  if (ended.refused_by && ticket) {
    // The reason is a text about the player: it goes with the account, and the log does not.
    const details = { before: { status: ticket.status }, after: { status: "done" } };
    const audit = { actor: ended.refused_by, action: "inbox.refuse", subject: ticket.id };
    await recordDeed(tx, { ...audit, details });
  }
  for (const to of ["player", "contact"] as const) {
    await jobs.enqueue(tx, "mail.withdrawal-ended", { withdrawalId, to });
  }
  return { ok: true };
}

async function findParts(tx: Tx, withdrawalId: string) {
  const { rows } = await sql<{ paymentId: string; ticketId: string | null }>`
    select payment_id as "paymentId", ticket.id as "ticketId"
    from withdrawals left join support_messages ticket on ticket.withdrawal_id = withdrawals.id
    where withdrawals.id = ${withdrawalId}`.execute(tx);
  return rows[0]!;
}

async function lockState(tx: Tx, withdrawalId: string) {
  const state = await tx
    .selectFrom("withdrawals")
    .select(["outcome", "paid_back_at", "payment_id", "refunded_before_eur"])
    .where("id", "=", withdrawalId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { refunded_eur } = await tx
    .selectFrom("payments")
    .select("refunded_eur")
    .where("id", "=", state.payment_id)
    .executeTakeFirstOrThrow();
  const isRefunded = centsFromNumeric(refunded_eur) > centsFromNumeric(state.refunded_before_eur);
  return { outcome: state.outcome, isPaidBack: state.paid_back_at !== null || isRefunded };
}

interface PaidBack {
  letterId: string;
  actor: string;
  now: Date;
}

export type PaidBackResult =
  | { ok: true }
  /** "ended": it was refused or taken back. */
  | { ok: false; reason: "no-withdrawal" | "ended" };

/**
 * Notes that the money of a withdrawal was refunded at Stripe, which is done with it. It moves no
 * money and no credits, which are out of the wallet already. Repeated it changes nothing.
 */
export async function markPaidBack(
  db: Db,
  { letterId, actor, now }: PaidBack,
): Promise<PaidBackResult> {
  return db.transaction().execute(async (tx) => {
    const letter = await lockLetter(tx, letterId);
    if (!letter?.withdrawalId) return { ok: false, reason: "no-withdrawal" } as const;
    if (await hasEnded(tx, letter.withdrawalId)) return { ok: false, reason: "ended" } as const;
    if (letter.status === "done") return { ok: true } as const;
    const { amount_eur } = await tx
      .updateTable("withdrawals")
      .set({ paid_back_at: now, paid_back_by: actor })
      .where("id", "=", letter.withdrawalId)
      .returning("amount_eur")
      .executeTakeFirstOrThrow();
    await setStatus(tx, letter, "done");
    const details = {
      before: { status: letter.status },
      after: { status: "done", paidBackEur: amount_eur },
    };
    await recordDeed(tx, { actor, action: "inbox.paid-back", subject: letterId, details });
    return { ok: true } as const;
  });
}
