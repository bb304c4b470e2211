import type { TransactionType } from "#app/platform/schema.ts";
import { isSandboxId } from "#app/platform/sandbox.ts";
import type { Pack } from "./packs.server.ts";

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

interface Checkout {
  /** The pack's stored payment link. */
  link: string | null;
  /** What every payment link must start with: an origin and perhaps a path. */
  prefix: string;
  /** What Stripe's events will name the player by. */
  userId: string;
  email: string;
}

// Stripe takes no other client_reference_id, and shows none of it to the payer.
const REFERENCE = /^[\w-]{1,200}$/;

/**
 * Where the browser pays: the pack's link with the player in it. Null where the link is missing or
 * leads anywhere else than below the prefix; throws for a user id that Stripe would drop.
 */
export function checkoutUrl({ link, prefix, userId, email }: Checkout): string | null {
  if (!isPaymentLink(link, prefix)) return null;
  if (!REFERENCE.test(userId)) throw new Error(`not a reference: ${userId}`);
  const url = new URL(link);
  url.searchParams.set("client_reference_id", userId);
  url.searchParams.set("prefilled_email", email);
  return url.href;
}

// An absolute address in plain ASCII: parsers differ on backslashes, blanks, credentials and
// missing slashes, and an escaped dot or slash in the path is one thing here and another there.
const PLAIN = /^https?:\/\/[\w.:[\]-]+\/[!$&'()*+,./:;=@\w~-]*([?#][!-[\]-~]*)?$/i;

/** Whether a link leads below the prefix, both compared as browsers read them. */
export function isPaymentLink(link: unknown, prefix: string): link is string {
  if (typeof link !== "string" || !PLAIN.test(link) || !URL.canParse(link)) return false;
  const [given, wanted] = [new URL(link), new URL(prefix)];
  // Origins hold the protocol, the host and the port; hosts in other scripts are punycode in them.
  return given.origin === wanted.origin && isBelow(given.pathname, wanted.pathname);
}

/** Whole segments only: /pay covers /pay/1, not /payment. The folder itself is no link yet. */
function isBelow(path: string, folder: string): boolean {
  if (folder.endsWith("/")) return path.startsWith(folder) && path !== folder;
  return path === folder || path.startsWith(`${folder}/`);
}

type Sold = Pick<Pack, "checkoutLink" | "priceId" | "paymentLinkId">;

export interface LinkCheck {
  /** "sandbox": the demo's own checkout; "ready": it can be bought. */
  state: "ready" | "sandbox" | "missing" | "elsewhere" | "unmatched";
  isSet: boolean;
  isBelowPrefix: boolean;
  hasPriceId: boolean;
  hasLinkId: boolean;
}

/**
 * What a pack has of what selling it needs: a link below the configured prefix, and the ids by
 * which Stripe's events name it. It asks nothing of Stripe.
 */
export function checkLink({ checkoutLink, priceId, paymentLinkId }: Sold, prefix: string) {
  const facts = {
    isSet: checkoutLink !== null,
    isBelowPrefix: isPaymentLink(checkoutLink, prefix),
    hasPriceId: priceId !== null,
    hasLinkId: paymentLinkId !== null,
  };
  const isSandbox = paymentLinkId !== null && isSandboxId(paymentLinkId);
  return { state: stateOf(facts, isSandbox), ...facts } satisfies LinkCheck;
}

function stateOf(facts: Omit<LinkCheck, "state">, isSandbox: boolean): LinkCheck["state"] {
  if (!facts.isSet) return "missing";
  if (!facts.isBelowPrefix) return "elsewhere";
  if (!facts.hasPriceId || !facts.hasLinkId) return "unmatched";
  return isSandbox ? "sandbox" : "ready";
}
