import type { ColumnType, Generated } from "kysely";
import type Stripe from "stripe";

export type EventStatus = "applied" | "ignored" | "parked" | "resolved";

export type UnmatchedReason =
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

/** What is read of an event; the object may have the shape of any version of Stripe's API. */
export type StripeEvent = Pick<Stripe.Event, "id" | "type" | "created" | "livemode"> & {
  data: { object: object };
};

export interface PaymentsTable {
  id: Generated<string>;
  stripe_object_id: string;
  user_id: string;
  pack_id: string;
  amount_eur: string;
  credits_eur: string;
  subscription_id: string | null;
  refunded_eur: Generated<string>;
  taken_back_eur: Generated<string>;
  owed_eur: Generated<string>;
  created_at: Generated<Date>;
}

export interface SubscriptionsTable {
  id: string;
  customer_id: string;
  status: string;
  cancel_at_period_end: Generated<boolean>;
  current_period_end: Date | null;
  pack_id: string | null;
  state_at: Date;
}

export interface StripeEventsTable {
  id: string;
  type: string;
  object_id: string;
  user_id: string | null;
  created_at: Date;
  received_at: Generated<Date>;
  status: EventStatus;
  reason: UnmatchedReason | null;
  waits_for: Generated<string[]>;
  payload: ColumnType<StripeEvent | null, string | null, string | null>;
}
