/** Whether a subscription would be charged again: it has to be ended before its account goes. */
export function isLive(subscription: { status: string; isEnding: boolean }): boolean {
  return subscription.status !== "canceled" && !subscription.isEnding;
}
