import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { isId } from "#app/platform/ids.ts";
import { isSandboxId } from "#app/platform/sandbox.ts";
import type { TransactionType } from "#app/platform/schema.ts";

export const MOST_CORRECTED_CENTS = 999_900;
const ASKED_ABOVE_CENTS = 10_000;

/** Whether a correction is so large that it has to be confirmed; one that cannot be made fails. */
export function asksAgain(amountCents: number, balanceCents: number): boolean {
  return Math.abs(amountCents) > ASKED_ABOVE_CENTS && balanceCents + amountCents >= 0;
}

export const CORRECTION_REASON_MAX = 200;

/** Days that refunded or late credits stay valid. */
export const REVIVED_DAYS = 7;

/** Stripe's statuses of a running subscription; one that is past due may still be paid. */
export const RUNNING = ["active", "trialing", "past_due"] as const;

export const isRunning = (status: string) => RUNNING.some((running) => running === status);

export const RENEWAL_GRACE_HOURS = 24;

/** How long card networks allow disputes, and so how long deleted payers are remembered. */
export const CHARGEBACK_DAYS = 540;

/** The general limitation period of debts in Finland (728/2003, 4 §). */
export const DEBT_DAYS = 3 * 365;

const DAY_MS = 86_400_000;

export function expiryOfLateCredits(expiresAt: Date, now: Date): Date {
  return new Date(Math.max(expiresAt.getTime(), now.getTime() + REVIVED_DAYS * DAY_MS));
}

export function gamesAvailable(balanceCents: number): number {
  return Math.floor(balanceCents / GAME_PRICE_CENTS);
}

/** Every pack of fixed credits but the single game is a monthly subscription (specification, section 3). */
export function isMonthly(packKey: string): boolean {
  return packKey !== "pay_per_game" && packKey !== ANY_AMOUNT.key;
}

/** The pack whose buyer chooses the amount and gets as many credits; Stripe takes no less. */
export const ANY_AMOUNT = { key: "any_amount", leastCents: 50, mostCents: 20_000 };

export interface Shortage {
  missingCents: number;
  /** What is missing, or the least that can be paid. */
  payCents: number;
}

/**
 * What is missing for a price, a debt included. Null where nothing is, and with an empty wallet, for
 * which the packs are made.
 */
export function shortageOf(
  priceCents: number,
  { balanceCents, debtCents }: { balanceCents: number; debtCents: number },
): Shortage | null {
  const missingCents = priceCents + debtCents - balanceCents;
  const isEmpty = balanceCents === 0 && debtCents === 0;
  if (isEmpty || missingCents <= 0 || missingCents > ANY_AMOUNT.mostCents) return null;
  return { missingCents, payCents: Math.max(missingCents, ANY_AMOUNT.leastCents) };
}

/** The cents that a form or link names, null where the pack of any amount is not sold for them. */
export function readAmount(text: unknown): number | null {
  if (typeof text !== "string" || !/^\d{1,6}$/.test(text)) return null;
  const cents = Number(text);
  return cents >= ANY_AMOUNT.leastCents && cents <= ANY_AMOUNT.mostCents ? cents : null;
}

export function transactionName(type: TransactionType): string {
  return NAMES[type] ?? "Transaction";
}

const NAMES: Partial<Record<TransactionType, string>> = {
  topup: "Credit Top-up",
  deduction: "Game Payment",
  refund: "Refund",
};

// In proportion to the money refunded, rounded down, without credits that lapsed unspent. Falls when
// money returns (a dispute is won).
export function reclaimTarget(payment: {
  amountCents: number;
  creditsCents: number;
  returnedCents: number;
  lapsedCents: number;
  reclaimedCents: number;
}): number {
  const { amountCents, creditsCents, lapsedCents, reclaimedCents } = payment;
  const returned = Math.min(payment.returnedCents, amountCents);
  const byMoney = Math.floor((creditsCents * returned) / amountCents);
  return Math.min(byMoney, Math.max(creditsCents - lapsedCents, reclaimedCents));
}

/** By Stripe's status: 0 an inquiry, which moves no money; 1 an open dispute; 2 closed for good. */
export function disputeStage(status: string): 0 | 1 | 2 {
  if (["won", "lost", "warning_closed", "prevented"].includes(status)) return 2;
  return status.startsWith("warning_") ? 0 : 1;
}

export function isMoneyGone(status: string): boolean {
  return disputeStage(status) === 1 || status === "lost";
}

// Stripe drops any other client_reference_id.
const REFERENCE = /^[\w-]{1,200}$/;

/** The player whom a payment names. */
export function readReference(reference: unknown): string | null {
  return typeof reference === "string" && isId(reference) ? reference.toLowerCase() : null;
}

/** Stripe's parameter for a link whose amount the customer chooses, in cents. */
export const PREFILLED_AMOUNT = "__prefilled_amount";

type Payer = Record<"userId" | "email", string>;

/** Null if the link is not below `prefix`; throws for a user id that Stripe would drop. */
export function checkoutUrl({
  link,
  prefix,
  userId,
  email,
  amountCents = null,
}: Payer & {
  link: string | null;
  prefix: string;
  amountCents?: number | null;
}): string | null {
  if (!isPaymentLink(link, prefix)) return null;
  if (!REFERENCE.test(userId)) throw new Error(`not a reference: ${userId}`);
  const url = new URL(link);
  url.searchParams.set("client_reference_id", userId);
  url.searchParams.set("prefilled_email", email);
  if (amountCents !== null) url.searchParams.set(PREFILLED_AMOUNT, String(amountCents));
  // The demo is open at several addresses of its machine, which share one database.
  return prefix.startsWith("/") ? url.pathname + url.search : url.href;
}

// An absolute address in plain ASCII: parsers differ on backslashes, blanks, credentials and
// missing slashes, and an escaped dot or slash in the path is one thing here and another there.
const PLAIN = /^https?:\/\/[\w.:[\]-]+\/[!$&'()*+,./:;=@\w~-]*([?#][!-[\]-~]*)?$/i;

export function isPaymentLink(link: unknown, prefix: string): link is string {
  if (typeof link !== "string" || !PLAIN.test(link) || !URL.canParse(link)) return false;
  const given = new URL(link);
  // A prefix that is a path is below any origin.
  const wanted = new URL(prefix, given);
  return given.origin === wanted.origin && isBelow(given.pathname, wanted.pathname);
}

// Whole segments only: /pay covers /pay/1, not /payment. The folder itself is not a link yet.
function isBelow(path: string, folder: string): boolean {
  if (folder.endsWith("/")) return path.startsWith(folder) && path !== folder;
  return path === folder || path.startsWith(`${folder}/`);
}

export interface LinkCheck {
  state: "ready" | "sandbox" | "missing" | "elsewhere" | "unmatched";
  isSet: boolean;
  isBelowPrefix: boolean;
  hasPriceId: boolean;
  hasLinkId: boolean;
}

/** Whether a pack can be sold: a link below the prefix, and the ids that Stripe's events name. */
export function checkLink(
  pack: { checkoutLink: string | null; priceId: string | null; paymentLinkId: string | null },
  prefix: string,
): LinkCheck {
  const { checkoutLink, priceId, paymentLinkId } = pack;
  const facts = {
    isSet: checkoutLink !== null,
    isBelowPrefix: isPaymentLink(checkoutLink, prefix),
    hasPriceId: priceId !== null,
    hasLinkId: paymentLinkId !== null,
  };
  const isSandbox = paymentLinkId !== null && isSandboxId(paymentLinkId);
  return { state: linkState(facts, isSandbox), ...facts };
}

function linkState(facts: Omit<LinkCheck, "state">, isSandbox: boolean): LinkCheck["state"] {
  if (!facts.isSet) return "missing";
  if (!facts.isBelowPrefix) return "elsewhere";
  if (!facts.hasPriceId || !facts.hasLinkId) return "unmatched";
  return isSandbox ? "sandbox" : "ready";
}
