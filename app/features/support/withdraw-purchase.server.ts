import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { lockActor } from "#app/features/accounts/accounts.server.ts";
import { lockDebtor } from "#app/features/wallet/debts.server.ts";
import { lockWallet } from "#app/features/wallet/ledger.server.ts";
import {
  reclaimForWithdrawal,
  restoreForWithdrawal,
} from "#app/features/wallet/reclaim-credits.server.ts";
import { changedFacts, type Facts } from "#app/platform/as-shown.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { centsFromNumeric, creditsCount, euros, numericFromCents } from "#app/platform/money.ts";
import { lockAndCheckEnded, lockTicket, setStatus } from "./tickets.server.ts";
import { isWithdrawn, listPurchases, type Purchase } from "./withdrawals.server.ts";

// The credits leave the wallet at once; an admin refunds at Stripe. Null if the purchase is not in
// listPurchases, or not as shown, or the form, whose key becomes the withdrawal's id, was sent before.
export async function withdrawPurchase(
  db: Db,
  jobs: Jobs,
  stated: {
    userId: string;
    paymentId: string;
    formKey?: string | undefined;
    shown?: Facts;
    now: Date;
  },
): Promise<Purchase | null> {
  const { userId, paymentId, formKey: id = randomUUID(), shown, now } = stated;
  return db.transaction().execute(async (tx) => {
    // Spending waits, and so does the same statement sent twice.
    await lockWallet(tx, userId);
    // A late resubmission must not undo that the player took the withdrawal back.
    if (await isWithdrawn(tx, { userId, paymentId, formKey: id })) return null;
    const purchases = await listPurchases(tx, { userId, now });
    const purchase = purchases.find((own) => own.paymentId === paymentId);
    if (!purchase || changedFacts(shown, withdrawalFacts(purchase)).length > 0) return null;
    const { refundCents, refundedCents } = purchase;
    // Because of rounding, up to a cent of unused credits may stay.
    const taking = { withdrawalId: id, paymentId, refundCents };
    const creditsCents = await reclaimForWithdrawal(tx, taking);
    await tx
      .insertInto("withdrawals")
      .values({
        id,
        user_id: userId,
        payment_id: paymentId,
        credits_eur: numericFromCents(creditsCents),
        amount_eur: numericFromCents(refundCents),
        refunded_before_eur: numericFromCents(refundedCents),
        credits_taken: true,
        stated_at: now,
      })
      .execute();
    await openTicket(tx, jobs, { userId, withdrawalId: id, purchase, now });
    return purchase;
  });
}

export const withdrawalFacts = ({ unusedCents, refundCents }: Purchase): Facts => ({
  unused: creditsCount(unusedCents),
  refund: euros(refundCents),
});

async function openTicket(
  tx: Tx,
  jobs: Jobs,
  opened: { userId: string; withdrawalId: string; purchase: Purchase; now: Date },
): Promise<void> {
  const { userId, withdrawalId, purchase, now } = opened;
  const { packName, amountCents, unusedCents, refundCents } = purchase;
  const { id: messageId } = await tx
    .insertInto("support_messages")
    .values({
      user_id: userId,
      kind: "withdrawal",
      withdrawal_id: withdrawalId,
      subject: `Withdrawal: ${packName}, ${euros(refundCents)}`,
      // The next step depends on the state, so it is not stored (refundTask).
      message: [
        `The player withdrew from a purchase on ${formatMoment(now)}.`,
        `Purchase: ${packName}, ${euros(amountCents)}`,
        `Unused: ${creditsCount(unusedCents)}`,
      ].join("\n"),
      created_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await jobs.enqueueEmails(tx, "withdrawal", [{ withdrawalId }]);
  await jobs.enqueueEmails(tx, "support-message", [{ messageId }]);
}

const MAX_CANCELLATIONS = 3;

type EndResult =
  | { ok: true }
  /** "too-late": it was paid back, refunded by Stripe, or already ended. */
  | { ok: false; reason: "not-found" | "too-late" };

const NOT_FOUND = { ok: false, reason: "not-found" } as const;

/** A player takes a withdrawal back: its credits return to the wallet, and both sides are mailed. */
export async function cancelWithdrawal(
  db: Db,
  jobs: Jobs,
  { withdrawalId, userId, now }: { withdrawalId: string; userId: string; now: Date },
): Promise<EndResult> {
  if (!isId(withdrawalId)) return NOT_FOUND;
  return db.transaction().execute(async (tx) => {
    const ended = { outcome: "taken_back", refused_by: null, refusal_reason: null } as const;
    const found = tx.selectFrom("withdrawals").select("id").where("user_id", "=", userId);
    const own = await found.where("id", "=", withdrawalId).executeTakeFirst();
    if (own && (await wasCancelledOften(tx, own.id))) return { ok: false, reason: "too-late" };
    return own ? end(tx, jobs, own.id, { ...ended, ended_at: now }) : NOT_FOUND;
  });
}

/** Withdrawing is a right, taking it back a courtesy: each round costs three emails and a ticket. */
async function wasCancelledOften(tx: Tx, withdrawalId: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from withdrawals own
    join withdrawals former using (payment_id)
    where own.id = ${withdrawalId} and former.id <> own.id and former.outcome = 'taken_back'`.execute(
    tx,
  );
  return rows[0]!.count >= MAX_CANCELLATIONS;
}

export async function rejectWithdrawal(
  db: Db,
  jobs: Jobs,
  rejection: { ticketId: string; actor: string; reason: string; now: Date },
): Promise<EndResult> {
  const { ticketId, actor, reason, now } = rejection;
  if (!isId(ticketId)) return NOT_FOUND;
  return db.transaction().execute(async (tx) => {
    await lockActor(tx, actor);
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

interface Ended {
  outcome: "refused" | "taken_back";
  ended_at: Date;
  refused_by: string | null;
  refusal_reason: string | null;
}

/** Lock order of all that ends or pays a withdrawal: wallet, ticket, withdrawal. */
async function end(tx: Tx, jobs: Jobs, withdrawalId: string, ended: Ended): Promise<EndResult> {
  const { paymentId, ticketId } = await findParts(tx, withdrawalId);
  await lockDebtor(tx, paymentId);
  const ticket = ticketId ? await lockTicket(tx, ticketId) : null;
  const state = await lockState(tx, withdrawalId);
  if (state.outcome === ended.outcome) return { ok: true };
  if (state.outcome || state.isRefundBegun) return { ok: false, reason: "too-late" };
  await tx.updateTable("withdrawals").set(ended).where("id", "=", withdrawalId).execute();
  const notes = ended.outcome === "refused" ? "Withdrawal rejected" : "Withdrawal taken back";
  await restoreForWithdrawal(tx, { withdrawalId, paymentId, notes, now: ended.ended_at });
  if (ticket) await setStatus(tx, ticket, "done");
  if (ended.refused_by && ticket) {
    // Without the reason, a text about the player: it is deleted with the account, the log is not.
    const details = { before: { status: ticket.status }, after: { status: "done" } };
    const actor = ended.refused_by;
    await recordAudit(tx, { actor, action: "inbox.refuse", subject: ticket.id, details });
  }
  for (const to of ["player", "contact"] as const) {
    await jobs.enqueueEmails(tx, "withdrawal-ended", [{ withdrawalId, to }]);
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
  // Noted by an admin, or Stripe has reported a cent of it.
  const isReported = centsFromNumeric(refunded_eur) > centsFromNumeric(state.refunded_before_eur);
  return { outcome: state.outcome, isRefundBegun: state.paid_back_at !== null || isReported };
}

/** What the form that notes a refund says: how much, and whose. */
export const refundFacts = (refund: { refundCents: number; playerId: string }): Facts => ({
  amount: euros(refund.refundCents),
  player: refund.playerId,
});

/** Notes that the money was refunded at Stripe. Moves no credits: they have left the wallet already. */
export async function markPaidBack(
  db: Db,
  { ticketId, actor, shown, now }: { ticketId: string; actor: string; shown?: Facts; now: Date },
): Promise<{ ok: true } | { ok: false; reason: "no-withdrawal" | "ended" | "changed" }> {
  return db.transaction().execute(async (tx) => {
    await lockActor(tx, actor);
    const ticket = await lockTicket(tx, ticketId);
    if (!ticket?.withdrawalId) return { ok: false, reason: "no-withdrawal" } as const;
    if (await lockAndCheckEnded(tx, ticket.withdrawalId))
      return { ok: false, reason: "ended" } as const;
    if (ticket.status === "done") return { ok: true } as const;
    const { refundCents } = await tx
      .selectFrom("withdrawals")
      .select(inCents("amount_eur").as("refundCents"))
      .where("id", "=", ticket.withdrawalId)
      .executeTakeFirstOrThrow();
    const facts = refundFacts({ refundCents, playerId: ticket.userId });
    if (changedFacts(shown, facts).length > 0) return { ok: false, reason: "changed" } as const;
    const noted = { paid_back_at: now, paid_back_by: actor };
    const withdrawal = tx.updateTable("withdrawals").set(noted);
    await withdrawal.where("id", "=", ticket.withdrawalId).execute();
    await setStatus(tx, ticket, "done");
    const details = {
      before: { status: ticket.status },
      after: { status: "done", paidBackEur: numericFromCents(refundCents) },
    };
    await recordAudit(tx, { actor, action: "inbox.paid-back", subject: ticketId, details });
    return { ok: true } as const;
  });
}
