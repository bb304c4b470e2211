/**
 * Whether a subscription could be charged again, and so has to be ended before its account goes:
 * one that is unpaid or paused too, though it grants nothing for now.
 */
export function isLive(subscription: { status: string; isEnding: boolean }): boolean {
  return subscription.status !== "canceled" && !subscription.isEnding;
}
