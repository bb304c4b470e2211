import { event, type SentEvent, stripeId } from "./stripe-objects.ts";

export type Told = [type: SentEvent["type"], object: object];

/**
 * Events that tell of one deed. They are named by its seed, so that a deed that is done twice sends
 * the same ones.
 */
export function seededEvents(seed: string, at: Date, told: Told[]): SentEvent[] {
  const created = seconds(at);
  return told.map(([type, object]) =>
    event(type, object, { id: stripeId("evt", `${seed}.${type}`), created }),
  );
}

/** Stripe's clock. */
export function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
