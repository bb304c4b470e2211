import type Stripe from "stripe";
import type { Db } from "#app/platform/db.server.ts";
import { applyStripeEvent, type EventOutcome } from "./apply-stripe-event.server.ts";
import { EVENT_TYPES } from "./stripe-event.ts";

interface Replay {
  stripe: Stripe;
  db: Db;
  since: Date;
  isLive: boolean;
  now: Date;
}

/**
 * Applies the events that Stripe has made since then (it keeps them for 30 days), in their order;
 * answers how many came to which end. Delivered ones too: each is applied once, and a database that
 * was restored has forgotten some. Throws Stripe's errors and the database's.
 */
export async function replayEvents(replay: Replay): Promise<Record<EventOutcome, number>> {
  const { stripe, db, since, isLive, now } = replay;
  const events: Stripe.Event[] = [];
  const asked = {
    created: { gte: Math.floor(since.getTime() / 1_000) },
    types: EVENT_TYPES,
    limit: 100,
  };
  for await (const event of stripe.events.list(asked)) events.push(event);
  const outcomes = { applied: 0, repeated: 0, parked: 0, ignored: 0 };
  // Stripe lists the newest first.
  for (const event of events.reverse()) {
    outcomes[await applyStripeEvent(db, event, { isLive, now })] += 1;
  }
  return outcomes;
}
