import { randomUUID } from "node:crypto";
import { changedFacts, type Facts } from "#app/platform/as-shown.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Files } from "#app/platform/files.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { deletePictures } from "#app/platform/images/drawn-pictures.server.ts";
import {
  type Accounts,
  anonymizeAccount,
  lockAccount,
} from "#app/features/accounts/accounts.server.ts";
import { turnOffFeed } from "#app/features/bookings/calendar-feeds.server.ts";
import { sumPendingCash } from "#app/features/bookings/pending-cash.server.ts";
import {
  holdsSeats,
  leaveGames,
  lockSeatsOf,
} from "#app/features/bookings/cancel-booking.server.ts";
import { eraseMessages } from "#app/features/chat/messages.server.ts";
import { deleteBlocks } from "#app/features/chat/blocks.server.ts";
import { deleteMemberships } from "#app/features/chat/unread.server.ts";
import { eraseRecipient } from "#app/features/announcements/announcements.server.ts";
import { deleteNotifications } from "#app/features/notifications/settings.server.ts";
import { deleteFailedMails } from "#app/features/players/failed-mails.server.ts";
import { confirmationKey } from "#app/features/games/warnings.server.ts";
import { creditsCount } from "#app/platform/money.ts";
import { deductByAdjustment, lockWallet, type Wallet } from "#app/features/wallet/ledger.server.ts";
import { listSubscriptions } from "#app/features/wallet/stripe/subscriptions.server.ts";
import { lockAndCheckLastAdmin } from "#app/features/accounts/account-status.server.ts";
import { checkPassword, type PasswordProof } from "#app/features/accounts/sign-in.server.ts";
import type { TooMany } from "#app/features/accounts/throttles.server.ts";
import { deletePictureFiles } from "#app/features/players/pictures.server.ts";
import { anonymizePlayer, DELETED_PLAYER } from "#app/features/players/profiles.server.ts";
import { deleteCorrectionReasons } from "#app/features/wallet/correct-balance.server.ts";
import {
  listPaymentsUnderWay,
  type PaymentUnderWay,
  toCome,
} from "#app/features/wallet/pending-payments.server.ts";
import { rememberDebt } from "#app/features/wallet/debts.server.ts";
import { expirePaymentHolds } from "#app/features/wallet/payment-holds.server.ts";
import { saveUsedFreeSession } from "#app/features/seats/free-session.server.ts";

interface DeletionDependencies {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
  dataDir: string;
  files: Files;
}

interface Deletion extends PasswordProof {
  userId: string;
  firstName: string;
  shown?: Facts;
  deleteTickets(tx: Tx, userId: string): Promise<void>;
}

type Deleted =
  | { ok: true }
  | TooMany
  | { ok: false; reason: "wrong-password" | "last-admin" | "subscription" | "gone" | "changed" };

// Bookings, ledger and payments stay under a pseudonym, a debt under a hash of the address. Throws,
// and changes nothing, if a game is joined at the same moment.
export async function deleteAccount(
  { db, jobs, accounts, dataDir, files }: DeletionDependencies,
  deletion: Deletion,
  now: Date,
): Promise<Deleted> {
  const checked = await checkPassword({ db, accounts }, deletion, now);
  if (!checked.ok) return checked;
  const result = await db.transaction().execute(async (tx) => {
    const reason = await findObstacle(tx, deletion);
    if (reason) return { ok: false, reason } as const;
    const { userId, email, firstName, shown } = deletion;
    const leaver = { playerId: userId, now };
    const left = await lockSeatsOf(tx, leaver);
    const payments = await listPaymentsUnderWay(tx, { userId, now });
    if (changedFacts(shown, deletionFacts({ ...left, payments })).length > 0) {
      return { ok: false, reason: "changed" } as const;
    }
    await leaveGames(tx, jobs, leaver, left);
    await expirePaymentHolds(tx, userId, now);
    const debtPaidCents = await closeWallet(tx, leaver, left.wallet);
    const memory = { userId, addressHash: accounts.hashEmail(email), now };
    await saveUsedFreeSession(tx, memory);
    await rememberDebt(tx, memory);
    const { debtCents } = await lockWallet(tx, userId);
    const gone = await anonymize(tx, { ...deletion, person: accounts.personOf(email) }, now);
    const cashDueCents = await sumPendingCash(tx, { playerId: userId });
    const mail = { userId, email, firstName, debtCents, givenBackCents: debtPaidCents };
    await jobs.enqueueEmails(tx, "account-deleted", [{ ...mail, cashDueCents }]);
    return { ok: true, ...gone } as const;
  });
  if (!result.ok) return result;
  // After the commit: had the transaction failed, the profile would name deleted files.
  await deletePictureFiles(files, result.picture);
  if (result.cardToken) await deletePictures(dataDir, result.cardToken);
  return { ok: true };
}

async function findObstacle(tx: Tx, { userId, email }: Deletion) {
  if (!(await lockAccount(tx, { userId, email }))) return "gone";
  if (await lockAndCheckLastAdmin(tx, userId)) return "last-admin";
  const subscriptions = await listSubscriptions(tx, userId);
  return subscriptions.some(isLive) ? "subscription" : null;
}

/** What a page says that a deletion takes: credits, a debt that stays, bookings and credits to come. */
export const deletionFacts = ({ wallet, seats, payments }: Lost): Facts => ({
  credits: creditsCount(wallet.balanceCents),
  debt: creditsCount(wallet.debtCents),
  bookings: confirmationKey(seats.map(({ id }) => id)),
  payments: confirmationKey(toCome(payments).map(({ sessionId }) => sessionId)),
});

interface Lost {
  wallet: Wallet;
  seats: { id: string }[];
  payments: PaymentUnderWay[];
}

/** Returns the debt that cancelled bookings paid, in cents. */
async function closeWallet(tx: Tx, leaver: { playerId: string; now: Date }, before: Wallet) {
  const { playerId: userId } = leaver;
  const { balanceCents: amountCents, debtCents } = await lockWallet(tx, userId);
  if (amountCents > 0) {
    const entry = { userId, amountCents, notes: "Account deleted" };
    await deductByAdjustment(tx, { ...entry, businessKey: `erasure:${userId}` });
  }
  // A booking cannot be written while the wallet is locked; one written just before is found here.
  if (await holdsSeats(tx, leaver)) throw new Error("a game was joined meanwhile");
  return Math.max(before.debtCents - debtCents, 0);
}

async function anonymize(tx: Tx, deletion: Deletion & { person: string }, now: Date) {
  const { userId, person, deleteTickets } = deletion;
  const pseudonym = {
    email: `deleted-${randomUUID()}@deleted.invalid`,
    name: `${DELETED_PLAYER.firstName} ${DELETED_PLAYER.lastName}`,
  };
  // Before the reports of them, and those before the messages to which some emails refer.
  await eraseMessages(tx, { userId, now });
  await deleteFailedMails(tx, userId);
  await deleteTickets(tx, userId);
  await deleteNotifications(tx, userId);
  await eraseRecipient(tx, userId, now);
  await deleteMemberships(tx, userId);
  await deleteBlocks(tx, userId);
  const left = await anonymizePlayer(tx, userId, pseudonym, now);
  await turnOffFeed(tx, userId);
  await deleteCorrectionReasons(tx, userId);
  await anonymizeAccount(tx, { userId, person }, pseudonym, now);
  return left;
}

/** Could be charged again, even while unpaid or paused. */
export function isLive(subscription: { status: string; isEnding: boolean }): boolean {
  return subscription.status !== "canceled" && !subscription.isEnding;
}
