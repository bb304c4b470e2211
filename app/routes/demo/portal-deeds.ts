import { event, type SentEvent, stripeId } from "./stripe-objects.ts";

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

type Told = [type: Parameters<typeof event>[0], object: object];

/**
 * A deed on something in a state. Its events are named by both, so that two posts of one page send
 * the same ones.
 */
export function deed(
  { id, state }: Omit<Steerable, "deeds">,
  [intent, label]: [intent: string, label: string],
  tell: (created: number) => Told[],
): PortalDeed {
  const events = (at: Date) => {
    const created = seconds(at);
    return tell(created).map(([type, object]) => {
      const eventId = stripeId("evt", `${id}.${state}.${intent}.${type}`);
      return event(type, object, { id: eventId, created });
    });
  };
  return { intent, label, events };
}

export function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
