/** The checkout session that an address names, or null where it names none of Stripe's. */
export function readSessionId(request: Request): string | null {
  const id = new URL(request.url).searchParams.get("session_id") ?? "";
  return /^cs_[A-Za-z0-9_]{1,200}$/.test(id) ? id : null;
}

const HOUR_SECONDS = 3_600;

/**
 * Since when somebody has been waiting, in seconds: without JavaScript each look is a page of its
 * own, and its address carries it. What is no instant of the last hour is now.
 */
export function readSince(request: Request, now: Date): number {
  const nowSeconds = Math.floor(now.getTime() / 1_000);
  const text = new URL(request.url).searchParams.get("since") ?? "";
  const since = /^\d{10}$/.test(text) ? Number(text) : nowSeconds;
  return since > nowSeconds || since < nowSeconds - HOUR_SECONDS ? nowSeconds : since;
}
