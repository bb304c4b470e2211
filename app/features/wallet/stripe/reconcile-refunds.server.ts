import type Stripe from "stripe";
import {
  endUnanswered,
  listOpenRefunds,
  storeRefund,
} from "#app/features/wallet/refunds.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { findAtStripe, toStatus } from "./refund-payment.server.ts";

/** Longer than any press of a button waits for Stripe. */
const UNANSWERED_MS = 3_600_000;

/**
 * Asks Stripe what became of refunds that had no end yet. One that it never got is no longer counted as
 * refunded. Moves no credits: the events of refunds do. Answers how many have an end now.
 */
export async function reconcileRefunds(db: Db, stripe: Stripe, now: Date): Promise<number> {
  let ended = 0;
  for (const refund of await listOpenRefunds(db)) {
    const found = await findAtStripe(stripe, refund);
    if (found) {
      const status = toStatus(found.status);
      await storeRefund(db, refund.id, { status, stripe_refund_id: found.id });
      if (status !== "pending" && status !== "requires_action") ended += 1;
    } else if (now.getTime() - refund.askedAt.getTime() > UNANSWERED_MS) {
      await endUnanswered(db, refund);
      ended += 1;
    }
  }
  return ended;
}
