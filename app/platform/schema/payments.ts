import type { ColumnType, Generated } from "kysely";

export type EventStatus = "applied" | "ignored" | "parked" | "resolved";

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
  reason: string | null;
  waits_for: Generated<string[]>;
  payload: ColumnType<unknown, string | null, string | null>;
}
