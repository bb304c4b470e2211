import type { Db, Tx } from "../../platform/db.server.ts";
import { credit, lockWallet } from "../wallet/ledger.server.ts";
import { findProgress, type Progress } from "./progress.server.ts";
import { challengeState, gamesMissing, REWARD_CENTS } from "./rules.ts";

export type ClaimAnswer =
  | { ok: true }
  | { ok: false; reason: "not-earned"; gamesMissing: number }
  | { ok: false; reason: "already-claimed" | "account-gone" };

/**
 * Gives the reward of this month's challenge: once a month, in one transaction with its ledger
 * entry. A refusal changes nothing.
 */
export async function claimReward(
  db: Db,
  { playerId, now }: { playerId: string; now: Date },
): Promise<ClaimAnswer> {
  return db.transaction().execute(async (tx) => {
    const wallet = await lockWallet(tx, playerId);
    if (wallet.isGone) return { ok: false, reason: "account-gone" };
    const progress = await findProgress(tx, { playerId, now });
    if (challengeState(progress) === "open") {
      const missing = gamesMissing(progress.gamesCompleted);
      return { ok: false, reason: "not-earned", gamesMissing: missing };
    }
    if (!(await markClaimed(tx, playerId, progress))) {
      return { ok: false, reason: "already-claimed" };
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

/** Answers false where the month is claimed already: the row itself says who was first. */
async function markClaimed(tx: Tx, playerId: string, { month, gamesCompleted }: Progress) {
  const claimed = { games_completed: gamesCompleted, reward_claimed: true };
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
