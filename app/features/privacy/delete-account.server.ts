import { randomUUID } from "node:crypto";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { forgetPictures } from "#app/platform/images/drawn-pictures.server.ts";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { checkPassword, type PasswordProof } from "#app/features/accounts/check-password.server.ts";
import {
  forgetAccount,
  isLastAdmin,
  lockAccount,
} from "#app/features/accounts/forget-account.server.ts";
import { rememberFreeSession } from "#app/features/bookings/free-session.server.ts";
import { holdsSeats, leaveGames } from "#app/features/bookings/leave-games.server.ts";
import { deletePictureFiles } from "#app/features/players/change-picture.server.ts";
import { deleteFailedMails } from "#app/features/players/failed-mails.server.ts";
import { forgetPlayer, NOBODY } from "#app/features/players/forget-player.server.ts";
import { forgetReasons } from "#app/features/wallet/forget-reasons.server.ts";
import { deductByAdjustment, lockWallet } from "#app/features/wallet/ledger.server.ts";
import { rememberDebt } from "#app/features/wallet/recall-debt.server.ts";
import { listSubscriptions } from "#app/features/wallet/subscriptions.server.ts";
import { isLive } from "./rules.ts";

interface Parts {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
  /** Where the player's picture lies. */
  dataDir: string;
}

interface Deletion extends PasswordProof {
  userId: string;
  firstName: string;
  /** What features beside this one forget of the player, on the same transaction. */
  forgetMore(tx: Tx, userId: string): Promise<void>;
}

export type Deleted =
  | { ok: true }
  | { ok: false; reason: "too-many"; retryAfterSeconds: number }
  | { ok: false; reason: "wrong-password" | "last-admin" | "subscription" | "gone" };

/**
 * Deletes an account for who knows its password, in one transaction: seats in games to come are
 * given up by the rule, credits that remain lapse, and everything that names the person goes.
 * Bookings, ledger and payments stay for the books, under a pseudonym, and a debt is remembered by
 * a hash of the address. Refuses the last admin and who has a subscription that would be charged
 * again; a refusal changes nothing. Throws, and changes nothing, where a game is joined at the same
 * moment.
 */
export async function deleteAccount(
  { db, jobs, accounts, dataDir }: Parts,
  deletion: Deletion,
  now: Date,
): Promise<Deleted> {
  const checked = await checkPassword({ db, accounts }, deletion, now);
  if (!checked.ok) return checked;
  const answer = await db.transaction().execute(async (tx) => {
    const reason = await refusal(tx, deletion);
    if (reason) return { ok: false, reason } as const;
    const givenBackCents = await settle(tx, deletion, now);
    const { userId, email, firstName } = deletion;
    const memory = { userId, addressHash: accounts.hashEmail(email), now };
    await rememberFreeSession(tx, memory);
    await rememberDebt(tx, memory);
    const { debtCents } = await lockWallet(tx, userId);
    const left = await forget(tx, { ...deletion, person: accounts.personOf(email) }, now);
    const told = { userId, email, firstName, debtCents, givenBackCents };
    await jobs.enqueue(tx, "mail.account-deleted", told);
    return { ok: true, ...left } as const;
  });
  if (!answer.ok) return answer;
  // Only now: had the transaction failed, the profile would name what is gone.
  await deletePictureFiles(dataDir, answer.picture);
  if (answer.cardToken) await forgetPictures(dataDir, answer.cardToken);
  return { ok: true };
}

async function refusal(tx: Tx, { userId, email }: Deletion) {
  if (!(await lockAccount(tx, { userId, email }))) return "gone";
  if (await isLastAdmin(tx, userId)) return "last-admin";
  const subscriptions = await listSubscriptions(tx, userId);
  return subscriptions.some(isLive) ? "subscription" : null;
}

/**
 * Games before the wallet, as everywhere. Answers in cents what cancelled bookings paid of a debt,
 * for the mail: what Stripe reports at the same moment may blur it.
 */
async function settle(tx: Tx, { userId }: Deletion, now: Date): Promise<number> {
  const leaver = { playerId: userId, now };
  const owedCents = await findDebt(tx, userId);
  await leaveGames(tx, leaver);
  const { balanceCents: amountCents, debtCents } = await lockWallet(tx, userId);
  if (amountCents > 0) {
    const entry = { userId, amountCents, notes: "Account deleted" };
    await deductByAdjustment(tx, { ...entry, businessKey: `erasure:${userId}` });
  }
  // A booking cannot be written while the wallet is locked; one written just before is found here.
  if (await holdsSeats(tx, leaver)) throw new Error("a game was joined meanwhile");
  return Math.max(owedCents - debtCents, 0);
}

async function findDebt(tx: Tx, userId: string): Promise<number> {
  const { wallet_debt_eur } = await tx
    .selectFrom("profiles")
    .select("wallet_debt_eur")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return centsFromNumeric(wallet_debt_eur);
}

async function forget(tx: Tx, deletion: Deletion & { person: string }, now: Date) {
  const { userId, person, forgetMore } = deletion;
  const pseudonym = {
    email: `deleted-${randomUUID()}@deleted.invalid`,
    name: `${NOBODY.firstName} ${NOBODY.lastName}`,
  };
  // Before the messages that some of them are about.
  await deleteFailedMails(tx, userId);
  await forgetMore(tx, userId);
  const left = await forgetPlayer(tx, userId, pseudonym, now);
  await forgetReasons(tx, userId);
  await forgetAccount(tx, { userId, person }, pseudonym, now);
  return left;
}
