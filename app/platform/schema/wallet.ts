import type { Generated, GeneratedAlways, Selectable, ColumnType } from "kysely";
import type Stripe from "stripe";

export type TransactionType =
  | "topup"
  | "deduction"
  | "refund"
  | "credit"
  | "adjustment"
  | "expiry"
  | "reversal"
  | "withdrawal";
export type LotSource = "pack" | "subscription" | "reward" | "refund" | "adjustment";

export interface WalletTransactionsTable {
  id: Generated<string>;
  seq: GeneratedAlways<number>;
  user_id: string;
  type: TransactionType;
  amount_eur: string;
  status: Generated<"pending" | "completed" | "failed">;
  notes: string | null;
  booking_id: string | null;
  business_key: string | null;
  created_at: Generated<Date>;
}

export interface CreditPacksTable {
  id: Generated<string>;
  pack_key: string;
  pack_name: string;
  price_eur: string;
  total_credit_eur: string;
  is_active: Generated<boolean>;
  stripe_checkout_link: string | null;
  stripe_payment_link_id: string | null;
  stripe_price_id: string | null;
  created_at: Generated<Date>;
  version: GeneratedAlways<number>;
}

export interface FormerPackPricesTable {
  stripe_price_id: string;
  stripe_payment_link_id: string | null;
  pack_id: string;
  price_eur: string;
  total_credit_eur: string;
  created_at: Generated<Date>;
}

export interface CreditLotsTable {
  id: Generated<string>;
  seq: GeneratedAlways<number>;
  user_id: string;
  source: LotSource;
  granted_eur: string;
  remaining_eur: string;
  expires_at: Date | null;
  payment_id: string | null;
  subscription_id: string | null;
  period_end: Date | null;
  transaction_id: string | null;
}

export interface MonthlyGameProgressTable {
  user_id: string;
  month_year: string;
  games_completed: Generated<number>;
  reward_claimed: Generated<boolean>;
  claim_form_key: string | null;
}

export type WalletTransaction = Selectable<WalletTransactionsTable>;

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
