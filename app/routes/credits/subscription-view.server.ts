import { isRunning } from "#app/features/wallet/rules.ts";
import type { Subscription } from "#app/features/wallet/stripe/subscriptions.server.ts";
import { helsinkiDate, monthDay } from "#app/platform/clock.ts";
import { creditsCount, euros } from "#app/platform/money.ts";

export function toSubscriptionView(subscription: Subscription) {
  const { id, packId, packName, month } = subscription;
  // Null if the price belongs to none of our packs.
  const grants =
    month &&
    `${creditsCount(month.creditsCents)} a month for ${euros(month.priceCents)}, incl. VAT`;
  return {
    ...{ id, packId, name: packName ?? "Subscription", grants },
    isRunning: isRunning(subscription.status),
    origin: originText(subscription),
    ...toStateView(subscription),
  };
}
export type SubscriptionView = ReturnType<typeof toSubscriptionView>;

/** Tells two subscriptions to the same pack apart. */
function originText({ id, startedAt }: Subscription): string {
  const end = `…${id.slice(-4)}`;
  return startedAt ? `Started on ${dayOf(startedAt)}, reference ${end}` : `Reference ${end}`;
}

const dayOf = (instant: Date) => monthDay(helsinkiDate(instant));

interface StateView {
  state: string;
  tone: "green" | "amber" | "red" | "neutral";
  next: string;
}

function toStateView({ status, isEnding, periodEnd }: Subscription): StateView {
  const end = periodEnd && dayOf(periodEnd);
  switch (status) {
    case "active":
    case "trialing":
      return isEnding
        ? { state: end ? `Ends on ${end}` : "Ends soon", tone: "amber", next: ENDING }
        : { state: "Active", tone: "green", next: `Renews ${end ? `on ${end}` : "every month"}.` };
    case "canceled":
      return { state: "Ended", tone: "neutral", next: "Nothing renews any more." };
    case "past_due":
    case "unpaid":
      return { state: "Payment failed", tone: "red", next: PAYMENT_FAILED };
    case "incomplete":
      return { state: "Not paid yet", tone: "amber", next: "It begins once it is paid." };
    default:
      return { state: "Paused", tone: "neutral", next: "Nothing renews for now." };
  }
}

const ENDING = "It does not renew; unused credits expire then.";
const PAYMENT_FAILED = "The renewal could not be charged. Check your card in Manage subscription.";
