import type { Db, Tx } from "#app/platform/db.server.ts";
import { credit, lockWallet } from "#app/features/wallet/ledger.server.ts";
import { challengeState, gamesMissing, REWARD_CENTS } from "./rules.ts";
import { sql } from "kysely";
import { helsinkiDate } from "#app/platform/clock.ts";

type ClaimResult =
  | { ok: true }
  | { ok: false; reason: "not-earned"; gamesMissing: number }
  | { ok: false; reason: "already-claimed" | "account-gone" };

interface Claim {
  playerId: string;
  formKey?: string | undefined;
  now: Date;
}

export async function claimReward(db: Db, { playerId, formKey, now }: Claim): Promise<ClaimResult> {
  return db.transaction().execute(async (tx) => {
    const wallet = await lockWallet(tx, playerId);
    if (wallet.isGone) return { ok: false, reason: "account-gone" };
    const progress = await findProgress(tx, { playerId, now });
    if (challengeState(progress) === "open") {
      const missing = gamesMissing(progress.gamesCompleted);
      return { ok: false, reason: "not-earned", gamesMissing: missing };
    }
    if (!(await markClaimed(tx, { playerId, formKey, ...progress }))) {
      const isRepeat = await isClaimedBy(tx, { playerId, formKey, ...progress });
      return isRepeat ? { ok: true } : { ok: false, reason: "already-claimed" };
    }
    const entry = {
      userId: playerId,
      amountCents: REWARD_CENTS,
      notes: "Monthly challenge",
      businessKey: `reward:${playerId}:${progress.month}`,
    };
    await credit(tx, "credit", entry, { source: "reward" });
    return { ok: true };
  });
}

type MonthClaim = Omit<Claim, "now"> & Progress;

/** False if the month is already claimed: the row itself decides which claim was first. */
async function markClaimed(tx: Tx, claim: MonthClaim) {
  const { playerId, month, gamesCompleted, formKey = null } = claim;
  const claimed = {
    games_completed: gamesCompleted,
    reward_claimed: true,
    claim_form_key: formKey,
  };
  const written = await tx
    .insertInto("monthly_game_progress")
    .values({ user_id: playerId, month_year: month, ...claimed })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "month_year"])
        .doUpdateSet(claimed)
        .where("monthly_game_progress.reward_claimed", "=", false),
    )
    .returning("user_id")
    .executeTakeFirst();
  return written !== undefined;
}

async function isClaimedBy(tx: Tx, { playerId, month, formKey }: MonthClaim): Promise<boolean> {
  if (!formKey) return false;
  const claimed = await tx
    .selectFrom("monthly_game_progress")
    .select("user_id")
    .where("user_id", "=", playerId)
    .where("month_year", "=", month)
    .where("claim_form_key", "=", formKey)
    .executeTakeFirst();
  return claimed !== undefined;
}

export interface Progress {
  /** "YYYY-MM", by Helsinki's calendar. */
  month: string;
  gamesCompleted: number;
  isClaimed: boolean;
}

export async function findProgress(
  db: Db | Tx,
  { playerId, now }: { playerId: string; now: Date },
): Promise<Progress> {
  const month = helsinkiDate(now).slice(0, 7);
  const { rows } = await sql<Omit<Progress, "month">>`
    select (
      select count(*)::int from bookings join games on games.id = bookings.game_id
      where bookings.user_id = ${playerId} and payment_status = 'Paid'
        and games.status <> 'Cancelled' and games.ends_at <= ${now}
        and games.ends_at >= ${`${month}-01`}::date::timestamp at time zone 'Europe/Helsinki'
    ) as "gamesCompleted", exists (
      select from monthly_game_progress
      where user_id = ${playerId} and month_year = ${month} and reward_claimed
    ) as "isClaimed"`.execute(db);
  return { month, ...rows[0]! };
}
