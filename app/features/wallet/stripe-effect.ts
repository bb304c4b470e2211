/** Why an event could not be applied; an admin sees these, in words. */
export type ParkReason =
  | "mode"
  | "unreadable"
  | "unknown-player"
  | "another-player"
  | "unknown-customer"
  | "unknown-pack"
  | "wrong-amount"
  | "not-a-month"
  | "unknown-payment"
  | "refund-failed";

/** Done, with what parked events may now be matched by; or parked, and what it waits for. */
export type Effect = { matches: string[] } | { parked: ParkReason; waitsFor?: string[] };

export interface Told {
  /** The event's id. */
  cause: string;
  /** When Stripe made the event. */
  at: Date;
  now: Date;
}
