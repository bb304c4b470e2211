import os from "node:os";
import { openFiles } from "#app/platform/files.server.ts";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { openAccount } from "#app/features/players/sign-up.server.ts";
import { deleteAccount } from "#app/features/privacy/delete-account.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import type { TestDatabase } from "./db.ts";
import { endHoldOf, holdsOver, lapseHolds, payingOf, statusOf } from "./hold-model.ts";
import {
  belongsToOthers,
  endList,
  freeIn,
  isBusy,
  offerOf,
  priceOf,
  take,
  unsettledIn,
} from "./waitlist-model.ts";
import {
  isLive,
  liveIn,
  type Model,
  type ModelBooking,
  type ModelHold,
  type ModelPaying,
  type ModelWithdrawal,
  receive,
} from "./model-state.ts";

export interface JoinWish {
  player: number;
  game: number;
  takesOffer?: boolean;
  /** Joins by the link of a held spot. */
  hold?: ModelHold | undefined;
  /** The form has booked a seat before, which was given up since. */
  isFormUsed?: boolean;
  /** What was shown of the game before. */
  shown?: string;
  asksOfOtherGame?: boolean;
}

/** All that a page says of a game and its price. */
export function factsOf(model: Model, player: number, game: number): string {
  const { startsIn, endsIn, minPlayers, decidesHours } = model.games[game]!;
  const minimum = minPlayers === null ? null : [minPlayers, startsIn - decidesHours];
  return JSON.stringify([startsIn, endsIn, minimum, priceOf(model, player, game)]);
}

/** Whatever stands against a join, but for the wallet and other games at that hour. */
export function joinObstacle(
  model: Model,
  { player, game, takesOffer = false, hold, isFormUsed = false, shown }: JoinWish,
): string | null {
  const { startsIn, isOpen } = model.games[game]!;
  const wallet = model.players[player]!;
  if (wallet.isSuspended) return "suspended";
  if (!isOpen) return "not-published";
  if (liveIn(model, game).some((b) => b.player === player)) return "already-joined";
  if (model.hour >= startsIn) return "started";
  const offer = offerOf(model, player, game);
  if (takesOffer && !offer) return "no-offer";
  if (hold?.status === "Taken") return "hold-taken";
  if (hold && statusOf(model, hold) !== "Held") return "hold-over";
  const hasSpot = offer || hold || payingOf(model, player, game)?.holdsSpot;
  const free = freeIn(model, game) + holdsOver(model, game);
  if (!hasSpot && free <= 0) return "full";
  if (isFormUsed) return "form-used";
  if (!hasSpot && belongsToOthers(model, player, game)) return "belongs-to-waitlist";
  return shown && shown !== factsOf(model, player, game) ? "changed" : null;
}

/** "joined", which the model then remembers, or the reason against it. */
export function expectedJoin(model: Model, wish: JoinWish): string {
  const { player, game, hold, asksOfOtherGame = false } = wish;
  const obstacle = joinObstacle(model, wish);
  if (obstacle) return obstacle;
  if (asksOfOtherGame && isBusy(model, player, game)) return "plays-meanwhile";
  const wallet = model.players[player]!;
  if (wallet.debtCents > 0 || wallet.cents < priceOf(model, player, game)) {
    return "not-enough-credits";
  }
  lapseHolds(model, game);
  if (hold) hold.status = "Taken";
  bookPaying(model, player, game);
  const booking = take(model, { player, game });
  if (hold) hold.booking = booking;
  return "joined";
}

/** Who is in has nothing more to pay for there. */
export function bookPaying(model: Model, player: number, game: number): void {
  for (const one of model.paying) {
    const isOpen = one.status === "Held" || one.status === "Lapsed";
    if (isOpen && one.player === player && one.game === game) one.status = "Booked";
  }
}

/** The cents that come back, which the model then moves, or the reason against it. */
export function expectedCancel(
  model: Model,
  booking: ModelBooking,
  player: number,
): number | string {
  const { startsIn } = model.games[booking.game]!;
  if (booking.player !== player) return "not-found";
  if (!isLive(booking)) return "already-cancelled";
  if (booking.status === "Unpaid" || model.hour >= startsIn) return "not-cancellable";
  const isInTime = booking.cents > 0 && startsIn - model.hour >= 24;
  const isInGrace = model.hour <= booking.freeUntil;
  const back = isInGrace ? booking.cents : isInTime ? booking.cents - 99 : 0;
  booking.status = back > 0 ? "Refunded" : "Cancelled";
  booking.lateCents = back === 0 && booking.cents > 0 ? booking.cents - 99 : 0;
  booking.cancelledAt = model.hour;
  if (isInGrace && booking.isFree) model.players[player]!.hasUsedFree = false;
  booking.backCents = back;
  endHoldOf(model, booking);
  receive(model, player, back);
  return back;
}

/** Everything comes back, also to those who gave up their spots too late. How many were in it. */
export function expectedCallOff(model: Model, game: number): number | null {
  const live = liveIn(model, game);
  for (const booking of [...live, ...unsettledIn(model, game)]) {
    refundAll(model, booking);
  }
  const { isOpen } = model.games[game]!;
  if (isOpen) model.games[game]!.version += 1;
  model.games[game]!.isOpen = false;
  endList(model, game);
  return isOpen ? live.length : null;
}

export function refundAll(model: Model, booking: ModelBooking): void {
  receive(model, booking.player, booking.cents);
  const wallet = model.players[booking.player];
  if (booking.isFree && wallet) wallet.hasUsedFree = false;
  if (isLive(booking)) endHoldOf(model, booking);
  booking.status = booking.cents > 0 ? "Refunded" : "Cancelled";
  booking.backCents = booking.cents;
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
  for (const entry of model.entries) {
    if (entry.player !== player) continue;
    if (entry.status === "Waiting" || entry.status === "Offered") entry.status = "Lapsed";
    entry.player = -1;
  }
  for (const booking of model.bookings) {
    if (booking.player !== player) continue;
    const isToCome = model.hour < model.games[booking.game]!.startsIn;
    if (booking.status === "Paid" && isToCome) expectedCancel(model, booking, player);
    if (booking.status === "Unpaid" && isToCome) {
      booking.status = "Cancelled";
      endHoldOf(model, booking);
    }
    booking.player = -1;
  }
  for (const hold of model.holds) if (hold.player === player) hold.player = -1;
  // The next sweep ends a spot that is held to be paid.
  const isKept = ({ status, holdsSpot }: ModelPaying) => status === "Held" && holdsSpot;
  model.paying = model.paying.filter((one) => one.player !== player || isKept(one));
  for (const one of model.paying) {
    if (one.player === player) Object.assign(one, { player: -1, until: model.hour });
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
  const files = openFiles({ dataDir: os.tmpdir(), bucket: null });
  const parts = { db, jobs, accounts: trusting, dataDir: os.tmpdir(), files };
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
