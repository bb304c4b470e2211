import { creditsCount, euros } from "#app/platform/money.ts";
import type { Ticket } from "./bookings.server.ts";
import type { CashMethod } from "#app/platform/schema.ts";

export interface Cash {
  amountCents: number;
  method: CashMethod;
}

/** The amount with "(MobilePay)"; an amount of 0 was not noted. */
export function cashText({ amountCents, method }: Cash): string {
  return amountCents > 0 ? `${euros(amountCents)} (${METHODS[method]})` : "an amount not noted";
}

/** How much came by which method: "Cash 20.00 €, MobilePay 8.00 €"; empty where nothing did. */
export function cashSumsText(sums: Record<CashMethod, number>): string {
  const methods = CASH_METHODS.filter((method) => sums[method] > 0);
  return methods.map((method) => `${method} ${euros(sums[method])}`).join(", ");
}

export function sumCashByMethod(payments: Iterable<Cash>): Record<CashMethod, number> {
  const sums = { Cash: 0, MobilePay: 0, Other: 0 };
  for (const { method, amountCents } of payments) sums[method] += amountCents;
  return sums;
}

export function paidByHandText({ amountCents, method }: Cash): string {
  return `${euros(amountCents)} ${method === "Other" ? "by hand" : METHODS[method]}`;
}

export const CASH_METHODS = ["Cash", "MobilePay", "Other"] as const satisfies CashMethod[];

const METHODS: Record<CashMethod, string> = {
  Cash: "cash",
  MobilePay: "MobilePay",
  Other: "other",
};

export const cashToGiveText = (cents: number) =>
  `${euros(cents)} that players paid by hand is yours to give back.`;

export function cashBackText({ amountCents, method }: Cash, isPromised: boolean): string {
  const paid = `You paid ${euros(amountCents)} ${PAID[method]}`;
  return isPromised
    ? `${paid}: the organiser gives it back.`
    : `${paid}: whether it comes back is between you and the organiser.`;
}

const PAID: Record<CashMethod, string> = {
  Cash: "in cash",
  MobilePay: "by MobilePay",
  Other: "to the organiser",
};

export function priceText({
  priceCents,
  isUncharged,
}: Pick<Ticket, "priceCents" | "isUncharged">): string {
  if (priceCents > 0) return creditsCount(priceCents);
  return isUncharged ? "No credits" : "Free session";
}
