import { seconds, seededEvents, type Told } from "./seeded-events.ts";
import type { SentEvent } from "./stripe-objects.ts";

/** Something that a button of the portal makes happen at Stripe. */
export interface PortalDeed {
  intent: string;
  label: string;
  events(at: Date): SentEvent[];
}

/** A subscription or a payment, as far as its buttons go. */
export interface Steerable {
  id: string;
  /** As it is now; a form that was made for another state does nothing. */
  state: string;
  /** What Stripe would let happen to it now. */
  deeds: PortalDeed[];
}

/**
 * A deed on something in a state. Its events are named by both, so that two posts of one page send
 * the same ones.
 */
export function deed(
  { id, state }: Omit<Steerable, "deeds">,
  [intent, label]: [intent: string, label: string],
  tell: (created: number) => Told[],
): PortalDeed {
  const events = (at: Date) => seededEvents(`${id}.${state}.${intent}`, at, tell(seconds(at)));
  return { intent, label, events };
}
