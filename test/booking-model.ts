import os from "node:os";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { openAccount } from "#app/features/players/sign-up.server.ts";
import { deleteAccount } from "#app/features/privacy/delete-account.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import type { TestDatabase } from "./db.ts";

/** What model.test.ts believes of games and wallets: the rules once more, in memory. */
export interface Model {
  /** Hours since the start. */
  hour: number;
  players: { cents: number; debtCents: number; hasUsedFree: boolean }[];
  games: { startsIn: number; spots: number; isFree: boolean; isOpen: boolean }[];
  bookings: ModelBooking[];
  withdrawals: ModelWithdrawal[];
}

export interface ModelBooking {
  id: string;
  /** -1 is an account that is deleted. */
  player: number;
  game: number;
  cents: number;
  isFree: boolean;
  status: "Paid" | "Refunded" | "Cancelled";
}

/** Of a purchase of 10 credits that were all unused. */
export interface ModelWithdrawal {
  player: number;
  state: "waiting" | "refused" | "taken_back";
  isRefunded: boolean;
}

/** Four players and three games: soon, later and far off, the last two free for newcomers. */
export function newModel(): Model {
  const open = { isOpen: true };
  return {
    hour: 0,
    players: [3_000, 1_000, 500, 0].map((cents) => ({
      ...{ cents, debtCents: 0, hasUsedFree: false },
    })),
    games: [
      { startsIn: 26, spots: 2, isFree: false, ...open },
      { startsIn: 40, spots: 1, isFree: true, ...open },
      { startsIn: 90, spots: 3, isFree: true, ...open },
    ],
    bookings: [],
    withdrawals: [],
  };
}

/** "joined", which the model then remembers, or the reason against it. */
export function expectedJoin(model: Model, player: number, game: number): string {
  const { startsIn, spots, isFree, isOpen } = model.games[game]!;
  const wallet = model.players[player]!;
  const live = model.bookings.filter((b) => b.game === game && b.status === "Paid");
  if (!isOpen) return "not-published";
  if (live.some((b) => b.player === player)) return "already-joined";
  if (model.hour >= startsIn) return "started";
  if (live.length >= spots) return "full";
  const cents = isFree && !wallet.hasUsedFree ? 0 : 1_000;
  if (wallet.debtCents > 0 || wallet.cents < cents) return "not-enough-credits";
  wallet.cents -= cents;
  wallet.hasUsedFree ||= cents === 0;
  model.bookings.push({ id: "", player, game, cents, isFree: cents === 0, status: "Paid" });
  return "joined";
}

/** The cents that come back, which the model then moves, or the reason against it. */
export function expectedCancel(
  model: Model,
  booking: ModelBooking,
  player: number,
): number | string {
  const { startsIn } = model.games[booking.game]!;
  if (booking.player !== player) return "not-found";
  if (booking.status !== "Paid") return "already-cancelled";
  if (model.hour >= startsIn) return "not-cancellable";
  const back = booking.cents > 0 && startsIn - model.hour >= 24 ? booking.cents - 99 : 0;
  booking.status = back > 0 ? "Refunded" : "Cancelled";
  receive(model, player, back);
  return back;
}

/** Credits that come settle a debt first. */
export function receive(model: Model, player: number, cents: number): void {
  const wallet = model.players[player];
  if (!wallet) return;
  const settled = Math.min(wallet.debtCents, cents);
  wallet.debtCents -= settled;
  wallet.cents += cents - settled;
}

/** "ended", and the credits are back; "repeated"; or "too-late". */
export function expectedEnd(
  model: Model,
  withdrawal: ModelWithdrawal,
  how: "refused" | "taken_back",
): string {
  if (withdrawal.state === how) return "repeated";
  if (withdrawal.state !== "waiting" || withdrawal.isRefunded) return "too-late";
  withdrawal.state = how;
  receive(model, withdrawal.player, 1_000);
  return "ended";
}

/** A refund takes nothing more of what is withdrawn; of what is not, what was spent is owed. */
export function expectRefund(model: Model, withdrawal: ModelWithdrawal): void {
  const wallet = model.players[withdrawal.player]!;
  if (!withdrawal.isRefunded && withdrawal.state !== "waiting") {
    const taken = Math.min(wallet.cents, 1_000);
    wallet.cents -= taken;
    wallet.debtCents += 1_000 - taken;
  }
  withdrawal.isRefunded = true;
}

/**
 * Gives up the seats to come, and lets lapse what is left; what is owed stays. A withdrawal that
 * ended has no part in it any more: how much of its credits lapsed is for lots.test.ts to know.
 */
export function expectDeletion(model: Model, player: number): void {
  for (const booking of model.bookings) {
    if (booking.player !== player) continue;
    const isToCome = model.hour < model.games[booking.game]!.startsIn;
    if (booking.status === "Paid" && isToCome) expectedCancel(model, booking, player);
    booking.player = -1;
  }
  model.players[player]!.cents = 0;
  model.withdrawals = model.withdrawals.filter(
    (one) => one.player !== player || (one.state === "waiting" && !one.isRefunded),
  );
}

/**
 * Deletes a player's account and signs up with its address again. Returns the new id. The
 * cost of a password is spared.
 */
export async function signUpAgain(
  { db, jobs, accounts }: Pick<TestDatabase, "db" | "jobs"> & { accounts: Accounts },
  userId: string,
  now: Date,
): Promise<string> {
  const { email } = await db
    .selectFrom("profiles")
    .select("email")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const proof = { email, password: "", address: crypto.randomUUID(), device: null };
  const deletion = { ...proof, userId, firstName: "Cleo", deleteTickets: async () => {} };
  const trusting = { ...accounts, verifyPassword: async () => true };
  const parts = { db, jobs, accounts: trusting, dataDir: os.tmpdir() };
  const deleted = await deleteAccount(parts, deletion, now);
  if (!deleted.ok) throw new Error(deleted.reason);
  const signUp = {
    ...{ email, firstName: "Cleo", lastName: "Again", dateOfBirth: "2001-05-17", phone: null },
    ...{ schoolYear: "Master", major: "Physics", passwordHash: "no-password" },
    ...{ personEmail: accounts.personOf(email), browserHash: null, redirectTo: null },
  };
  const memory = { addressHash: accounts.hashEmail(email), recallDebt };
  const newId = await db.transaction().execute((tx) => openAccount(tx, signUp, memory, now));
  if (!newId) throw new Error("the address has an account still");
  return newId;
}
