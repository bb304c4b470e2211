import type { Subscription } from "#app/features/wallet/subscriptions.server.ts";
import { helsinkiDate, monthDay } from "#app/platform/clock.ts";
import { creditsCount, euros } from "#app/platform/money.ts";

export interface SubscriptionWords {
  id: string;
  name: string;
  state: string;
  tone: "green" | "amber" | "red" | "neutral";
  /** What it grants and costs; null where its price is none of ours. */
  grants: string | null;
  /** What happens next. */
  next: string;
}

/** A subscription in the words of the page; made on the server, in Helsinki's time. */
export function showSubscription(subscription: Subscription): SubscriptionWords {
  const { id, packName, month } = subscription;
  const grants =
    month &&
    `${creditsCount(month.creditsCents)} a month for ${euros(month.priceCents)}, incl. VAT`;
  return { id, name: packName ?? "Subscription", grants, ...stateWords(subscription) };
}

function stateWords({ status, isEnding, periodEnd }: Subscription) {
  const end = periodEnd && monthDay(helsinkiDate(periodEnd));
  switch (status) {
    case "active":
    case "trialing":
      return isEnding ? endingWords(end) : activeWords(end);
    case "canceled":
      return { state: "Ended", tone: "neutral", next: "Nothing renews any more." } as const;
    case "past_due":
    case "unpaid":
      return { state: "Payment failed", tone: "red", next: PAYMENT_FAILED } as const;
    case "incomplete":
      return { state: "Not paid yet", tone: "amber", next: "It begins once it is paid." } as const;
    default:
      return { state: "Paused", tone: "neutral", next: "Nothing renews for now." } as const;
  }
}

function activeWords(end: string | null) {
  const next = end ? `Renews on ${end}.` : "Renews every month.";
  return { state: "Active", tone: "green", next } as const;
}

function endingWords(end: string | null) {
  const next = "It does not renew; unused credits expire then.";
  return { state: end ? `Ends on ${end}` : "Ends soon", tone: "amber", next } as const;
}

const PAYMENT_FAILED = "The renewal could not be charged. Check your card in Manage subscription.";
