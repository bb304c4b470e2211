import Stripe from "stripe";
import { z } from "zod";

const TOLERANCE_SECONDS = 300;
const MISSING = "resource_missing";

const HEADER_MAX = 1_000;

/** Null unless signed with one of our secrets within 300 seconds of now; never throws. */
export function readSignedEvent(
  body: string,
  signature: string | null,
  secrets: string[],
): Stripe.Event | null {
  const signedAt = signature && signature.length <= HEADER_MAX ? timeOf(signature) : null;
  // The package accepts times in the future.
  if (!signature || !signedAt || signedAt > Date.now() / 1_000 + TOLERANCE_SECONDS) return null;
  for (const secret of secrets) {
    const event = readEvent(body, signature, secret);
    if (event) return event;
  }
  return null;
}

/** Whether it looks like Stripe's of now, whatever the secret. */
export function isSignedNow(signature: string | null): boolean {
  if (!signature || signature.length > HEADER_MAX || !WHOLE_V1.test(signature)) return false;
  const seconds = timeOf(signature);
  return seconds !== null && Math.abs(seconds - Date.now() / 1_000) <= TOLERANCE_SECONDS;
}

/** In seconds; null if malformed. The package reads "t=1x" as 1. */
function timeOf(header: string): number | null {
  const [first = "", ...signatures] = header.split(",");
  const isSigned = signatures.every((part) => (/^(v1|t)=/.test(part) ? V1 : OTHER).test(part));
  return isSigned && signatures.length > 0 && TIME.test(first) ? Number(first.slice(2)) : null;
}

const TIME = /^t=[1-9]\d{0,11}$/;
const WHOLE_V1 = /,v1=[0-9a-f]{64}(?:,|$)/;
const V1 = /^v1=[0-9a-f]+$/;
const OTHER = /^\w+=[^\s,]+$/;

export function openStripe(secretKey: string, options: Stripe.StripeConfig = {}): Stripe {
  return new Stripe(secretKey, {
    apiVersion: Stripe.API_VERSION,
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    ...options,
  });
}

export function isLiveKey(key: string | undefined): boolean {
  return /^(sk|rk)_live_/.test(key ?? "");
}

/** The payment's page in Stripe's dashboard, or a search for it if there is no payment intent. */
export const dashboardUrl = (payment: PaymentIds, secretKey: string | undefined): string =>
  paymentPage(payment, isLiveKey(secretKey));

interface PaymentIds {
  paymentIntentId: string | null;
  stripeObjectId: string;
}

export function paymentPage(
  { paymentIntentId, stripeObjectId }: PaymentIds,
  isLive: boolean,
): string {
  const mode = isLive ? "" : "test/";
  const page = paymentIntentId
    ? `payments/${encodeURIComponent(paymentIntentId)}`
    : `search?query=${encodeURIComponent(stripeObjectId)}`;
  return `https://dashboard.stripe.com/${mode}${page}`;
}

/** Null for an id unknown to Stripe, such as a test id with a live key. */
export async function orMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const isMissing = error instanceof Stripe.errors.StripeError && error.code === MISSING;
    if (isMissing) return null;
    throw error;
  }
}

function readEvent(body: string, signature: string, secret: string): Stripe.Event | null {
  try {
    const event: unknown = Stripe.webhooks.constructEvent(
      body,
      signature,
      secret,
      TOLERANCE_SECONDS,
    );
    return EVENT.safeParse(event).success ? (event as Stripe.Event) : null;
  } catch {
    return null;
  }
}

const EVENT = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  created: z.int(),
  data: z.object({ object: z.object({}) }),
});
