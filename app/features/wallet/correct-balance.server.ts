import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { creditsText, numericFromCents } from "#app/platform/money.ts";
import { credit, deductByAdjustment, lockWallet, type Wallet } from "./ledger.server.ts";
import { sql } from "kysely";

interface Correction {
  userId: string;
  amountCents: number;
  /** The player reads it in the statement and in an email. Deleted with the account; the entry stays. */
  reason: string;
  actor: string;
  /** Idempotency key of the form: resubmitted, it is booked once. */
  key: string;
}

type CorrectionResult =
  | { ok: true; isRepeat: boolean }
  | { ok: false; reason: "gone" | "form-used" }
  | { ok: false; reason: "too-few"; wallet: Wallet };

/** By a ledger entry that says why. "form-used": the key was booked with other values. */
export async function correctBalance(
  db: Db,
  jobs: Pick<Jobs, "enqueueEmails">,
  correction: Correction,
): Promise<CorrectionResult> {
  const { userId, amountCents, reason: notes, key } = correction;
  const businessKey = businessKeyOf(key);
  return db.transaction().execute(async (tx) => {
    const wallet = await lockWallet(tx, userId);
    const booked = await findBooked(tx, businessKey);
    if (booked) {
      const isSame =
        booked.user_id === userId && booked.amount_eur === numericFromCents(amountCents);
      return isSame ? { ok: true, isRepeat: true } : { ok: false, reason: "form-used" };
    }
    if (wallet.isGone) return { ok: false, reason: "gone" };
    const entry = { userId, amountCents: Math.abs(amountCents), notes, businessKey };
    if (amountCents >= 0) await credit(tx, "adjustment", entry, { source: "adjustment" });
    else if (!(await deductByAdjustment(tx, entry)))
      return { ok: false, reason: "too-few", wallet };
    await recordCorrection(tx, correction, wallet);
    await jobs.enqueueEmails(tx, "balance-corrected", [{ userId, key }]);
    return { ok: true, isRepeat: false };
  });
}

const businessKeyOf = (key: string) => `grant:${key}`;

/** The entry of a correction; without its reason where the account is deleted. */
export const findCorrection = (db: Db, key: string) => findBooked(db, businessKeyOf(key));

function findBooked(db: Db, businessKey: string) {
  return db
    .selectFrom("wallet_transactions")
    .select(["user_id", "amount_eur", "notes"])
    .where("business_key", "=", businessKey)
    .executeTakeFirst();
}

async function recordCorrection(tx: Tx, correction: Correction, before: Wallet): Promise<void> {
  const { userId: subject, amountCents, actor, key } = correction;
  const after = await lockWallet(tx, subject);
  // Without the reason, which may be about the player: the log is never deleted.
  const details = {
    key,
    credits: creditsText(amountCents),
    before: { balance: creditsText(before.balanceCents) },
    after: { balance: creditsText(after.balanceCents) },
  };
  await recordAudit(tx, { actor, action: "wallet.grant", subject, details });
}

/** Deletes the admins' reasons from a deleted player's corrections; the entries stay for the books. */
export async function deleteCorrectionReasons(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable("wallet_transactions")
    .set({ notes: null })
    .where("user_id", "=", userId)
    .where("notes", "is not", null)
    .where(sql<boolean>`starts_with(business_key, 'grant:')`)
    .execute();
}
