import type { TransactionType } from "#app/platform/schema.ts";

/** 10 credits are a game (specification, section 9). */
export const CREDITS_PER_GAME_CENTS = 1_000;

/** Letters of a pack's name. */
export const PACK_NAME_MAX = 60;

/** A refund to a lot that has expired meanwhile, or a payment told late, lives so many days. */
export const REVIVED_DAYS = 7;

/** Stripe's statuses of a subscription that goes on; one that is past due may still be paid. */
export const RUNNING = ["active", "trialing", "past_due"] as const;

/** A month of a running subscription is still spendable for so long while its renewal is charged. */
export const RENEWAL_GRACE_HOURS = 24;

/**
 * So long after its deletion an account that has paid is remembered by its address: the longest
 * that the card networks let a payment be disputed.
 */
export const CHARGEBACK_DAYS = 540;

/** Where it owes, at most so long: the general limitation period of debts in Finland (728/2003, 4 §). */
export const DEBT_DAYS = 3 * 365;

/** Credits that come late can be spent for REVIVED_DAYS at least. */
export function expiryOfLateCredits(expiresAt: Date, now: Date): Date {
  return new Date(Math.max(expiresAt.getTime(), now.getTime() + REVIVED_DAYS * DAY_MS));
}

const DAY_MS = 86_400_000;

/** How many games a balance pays for, rounded down. */
export function gamesAvailable(balanceCents: number): number {
  return Math.floor(balanceCents / CREDITS_PER_GAME_CENTS);
}

/** Every pack but the single game is a monthly subscription (specification, section 3). */
export function isMonthly(packKey: string): boolean {
  return packKey !== "pay_per_game";
}

/** The name of an entry on a player's screen (specification, section 4). */
export function transactionName(type: TransactionType): string {
  return NAMES[type] ?? "Transaction";
}

const NAMES: Partial<Record<TransactionType, string>> = {
  topup: "Credit Top-up",
  deduction: "Game Payment",
  refund: "Refund",
};

/**
 * So many of a payment's credits are to be taken back: in proportion to the money that went back,
 * rounded down, and never what has lapsed unspent. What was taken before stays taken unless money
 * comes again, as after a dispute that was won.
 */
export function takenBackTarget(payment: {
  amountCents: number;
  creditsCents: number;
  returnedCents: number;
  lapsedCents: number;
  takenBackCents: number;
}): number {
  const { amountCents, creditsCents, lapsedCents, takenBackCents } = payment;
  const returned = Math.min(payment.returnedCents, amountCents);
  const byMoney = Math.floor((creditsCents * returned) / amountCents);
  return Math.min(byMoney, Math.max(creditsCents - lapsedCents, takenBackCents));
}

/**
 * How far a dispute has come: an inquiry moves no money, an open one does, a closed one is final.
 * Stripe's statuses; events may come in any order, so that only a later stage is taken over.
 */
export function disputeStage(status: string): 0 | 1 | 2 {
  if (["won", "lost", "warning_closed", "prevented"].includes(status)) return 2;
  return status.startsWith("warning_") ? 0 : 1;
}

/** Whether the bank has the money of a dispute of this status. */
export function isMoneyGone(status: string): boolean {
  return disputeStage(status) === 1 || status === "lost";
}
