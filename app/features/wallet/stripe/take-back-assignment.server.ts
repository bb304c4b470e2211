import { sql } from "kysely";
import { lockWallet } from "#app/features/wallet/ledger.server.ts";
import { spendLots } from "#app/features/wallet/lots.server.ts";
import type { PaymentJobs } from "#app/features/wallet/payments.server.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { creditsText, euros } from "#app/platform/money.ts";
import { lockPayments } from "./apply-stripe-event.server.ts";

export interface Assigned {
  id: string;
  assignedAt: Date;
  playerId: string;
  name: string;
  packName: string;
  amountCents: number;
  creditsCents: number;
}

/** Payments that organisers gave to players since then, the latest first; not what was taken back. */
export async function listAssigned(
  db: Db,
  { since, limit }: { since: Date; limit: number },
): Promise<Assigned[]> {
  const { rows } = await sql<Assigned>`
    select assignment.id, assigned_at as "assignedAt", assignment.user_id as "playerId",
      first_name || ' ' || last_name as name, pack_name as "packName",
      ${inCents("payment.amount_eur")} as "amountCents",
      ${inCents("payment.credits_eur")} as "creditsCents"
    from payment_assignments assignment
    join payments payment on payment.id = payment_id
    join credit_packs pack on pack.id = payment.pack_id
    join profiles on profiles.user_id = assignment.user_id
    where taken_back_at is null and assigned_at >= ${since}
    order by assigned_at desc, assignment.id limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

interface TakingBack {
  assignmentId: string;
  actor: string;
  jobs: PaymentJobs;
  now: Date;
}

type TakeBackResult =
  | { ok: true }
  /** "moved": refunded, disputed or withdrawn from since; "renewed": more months came by it. */
  | { ok: false; reason: "not-found" | "moved" | "renewed" }
  | { ok: false; reason: "spent"; creditsCents: number; leftCents: number };

/**
 * Takes the credits of an assigned payment from the player, if all are still there; then the payment is
 * unmatched again. A repeat changes nothing.
 */
export function takeBackAssignment(db: Db, taking: TakingBack): Promise<TakeBackResult> {
  const { assignmentId, actor, jobs, now } = taking;
  return db.transaction().execute(async (tx) => {
    await lockPayments(tx);
    const assignment = isId(assignmentId) && (await findAssignment(tx, assignmentId));
    if (!assignment) return fail("not-found");
    if (assignment.takenBackAt) return { ok: true };
    const { userId, paymentId, creditsCents, amountCents } = assignment;
    const before = await lockWallet(tx, userId);
    const { leftCents, hasMoved, isRenewed } = await readState(tx, assignment);
    if (hasMoved) return fail("moved");
    if (isRenewed) return fail("renewed");
    if (leftCents < creditsCents) return { ok: false, reason: "spent", creditsCents, leftCents };
    const notes = `A payment of ${euros(amountCents)} was given to you by mistake`;
    // A correction with a reason, as the player reads it in the statement and in an email.
    const entry = {
      userId,
      amountCents: creditsCents,
      notes,
      businessKey: `grant:${assignmentId}`,
    };
    await spendLots(tx, "adjustment", entry, paymentId);
    await release(tx, assignment, now);
    const after = { balance: creditsText(before.balanceCents - creditsCents) };
    const details = {
      ...{ playerId: userId, pack: assignment.packName, creditsCents },
      ...{ paid: { amountCents, currency: "eur" } },
      ...{ before: { balance: creditsText(before.balanceCents) }, after },
    };
    const subject = assignment.eventId;
    await recordAudit(tx, { actor, action: "payment.take-back", subject, details });
    await jobs.enqueueEmails(tx, "balance-corrected", [{ userId, key: assignmentId }]);
    return { ok: true };
  });
}

type Assignment = NonNullable<Awaited<ReturnType<typeof findAssignment>>>;

function findAssignment(tx: Tx, id: string) {
  return tx
    .selectFrom("payment_assignments as assignment")
    .innerJoin("payments", "payments.id", "payment_id")
    .innerJoin("credit_packs", "credit_packs.id", "payments.pack_id")
    .select(["assignment.id", "event_id as eventId", "payment_id as paymentId"])
    .select(["assignment.user_id as userId", "customer_id as customerId", "reason"])
    .select(["taken_back_at as takenBackAt", "pack_name as packName", "subscription_id as month"])
    .select(inCents("amount_eur").as("amountCents"))
    .select(inCents("credits_eur").as("creditsCents"))
    .where("assignment.id", "=", id)
    .executeTakeFirst();
}

async function readState(tx: Tx, { paymentId, userId, month, customerId }: Assignment) {
  const { rows } = await sql<{ leftCents: number; hasMoved: boolean; isRenewed: boolean }>`
    select coalesce((
        select ${inCents(sql`sum(remaining_eur)`)} from credit_lots where payment_id = payment.id
      ), 0) as "leftCents",
      refunded_eur > 0 or taken_back_eur > 0
        or exists (select from disputes where payment_id = payment.id)
        or exists (select from withdrawals where payment_id = payment.id) as "hasMoved",
      ${customerId !== null} and exists (
        select from payments other where other.user_id = ${userId} and other.id <> payment.id
          and other.subscription_id = ${month}
      ) as "isRenewed"
    from payments payment where id = ${paymentId}`.execute(tx);
  return rows[0]!;
}

/** The payment has no player, and its event is unmatched, as before the assignment. */
async function release(tx: Tx, assignment: Assignment, now: Date): Promise<void> {
  const { id, eventId, paymentId, userId, customerId, reason } = assignment;
  const detached = { payment_id: null };
  await tx.updateTable("credit_lots").set(detached).where("payment_id", "=", paymentId).execute();
  await tx.updateTable("payments").set({ user_id: null }).where("id", "=", paymentId).execute();
  if (customerId) {
    const customer = tx.deleteFrom("stripe_customers").where("customer_id", "=", customerId);
    await customer.where("user_id", "=", userId).execute();
  }
  const taken = tx.updateTable("payment_assignments").set({ taken_back_at: now });
  await taken.where("id", "=", id).execute();
  await sql`
    update stripe_events set status = 'parked', reason = ${reason}, payload = assignment.payload
    from payment_assignments assignment
    where assignment.id = ${id} and stripe_events.id = ${eventId}`.execute(tx);
}

const fail = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;
