import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { runForEach } from "#app/platform/scheduler.server.ts";
import { lockWallet } from "./ledger.server.ts";
import { spendLots } from "./lots.server.ts";
import { RENEWAL_GRACE_HOURS, RUNNING } from "./rules.ts";

interface ExpiredLot {
  id: string;
  userId: string;
  remainingCents: number;
}

/** Each wallet has its own transaction, so that one failure does not stop the others. */
export async function expireLots(db: Db, now: Date): Promise<void> {
  const ids = new Set((await listExpiredLots(db, now)).map((lot) => lot.userId));
  await runForEach({ ids, of: "userId", failed: "lots not expired" }, (userId) =>
    db.transaction().execute((tx) => expireLotsOf(tx, userId, now)),
  );
}

async function expireLotsOf(tx: Tx, userId: string, now: Date): Promise<void> {
  await lockWallet(tx, userId);
  for (const lot of await listExpiredLots(tx, now, userId)) {
    await emptyLot(tx, lot, "Credits expired");
  }
}

// Stripe charges a renewal about an hour after the month has ended. Until then a subscription that
// goes on keeps its credits; its renewal replaces them.
async function listExpiredLots(db: Db | Tx, now: Date, userId: string | null = null) {
  const graceEnds = new Date(now.getTime() - RENEWAL_GRACE_HOURS * 3_600_000);
  const { rows } = await sql<ExpiredLot>`
    select lot.id, lot.user_id as "userId", ${inCents("lot.remaining_eur")} as "remainingCents"
    from credit_lots lot
    where lot.remaining_eur > 0 and lot.expires_at <= ${now}
      and (${userId}::uuid is null or lot.user_id = ${userId})
      and (lot.expires_at <= ${graceEnds} or not exists (
        select from subscriptions where subscriptions.id = lot.subscription_id
          and status = any(${RUNNING}) and not cancel_at_period_end
      ))
    order by lot.user_id, lot.expires_at, lot.seq`.execute(db);
  return rows;
}

/** Expires all months of a subscription except the newest. The wallet must be locked. */
export async function replaceEarlierMonths(tx: Tx, subscriptionId: string, now: Date) {
  const { rows: lots } = await sql<ExpiredLot>`
    update credit_lots set expires_at = least(expires_at, ${now})
    where subscription_id = ${subscriptionId} and (period_end, seq) < (
      select period_end, seq from credit_lots where subscription_id = ${subscriptionId}
      order by period_end desc, seq desc limit 1
    )
    returning id, user_id as "userId", ${inCents("remaining_eur")} as "remainingCents"`.execute(tx);
  for (const lot of lots) {
    if (lot.remainingCents > 0) await emptyLot(tx, lot, "Monthly credits reset");
  }
}

// Once for each lot, so the key may be random: what is left is read under the wallet's lock, and
// what comes back to an emptied lot becomes a lot of its own (restoreLots).
async function emptyLot(tx: Tx, { id, userId, remainingCents }: ExpiredLot, notes: string) {
  const entry = { userId, amountCents: remainingCents, notes };
  await spendLots(tx, "expiry", { ...entry, businessKey: `expiry:${randomUUID()}` }, id);
}
