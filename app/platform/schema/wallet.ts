import type { Generated, GeneratedAlways, ColumnType } from "kysely";
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

type EventStatus = "applied" | "ignored" | "parked" | "resolved";

/** "asked": Stripe has not answered yet. */
export type RefundStatus =
  | "asked"
  | "pending"
  | "requires_action"
  | "succeeded"
  | "failed"
  | "canceled";

export type UnmatchedReason =
  | "mode"
  | "unreadable"
  | "unknown-player"
  | "another-player"
  | "no-customer"
  | "unknown-customer"
  | "unknown-pack"
  | "wrong-amount"
  | "not-a-month"
  | "unknown-payment"
  | "refund-failed";

/** The fields we read; the object may have the shape of any version of Stripe's API. */
export type StripeEvent = Pick<Stripe.Event, "id" | "type" | "created" | "livemode"> & {
  data: { object: object };
};

export interface WalletTables {
  wallet_transactions: {
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
  };
  credit_packs: {
    id: Generated<string>;
    pack_key: string;
    pack_name: string;
    price_eur: string;
    total_credit_eur: string;
    is_active: Generated<boolean>;
    /** On sale as soon as it has a payment link. */
    awaits_link: Generated<boolean>;
    stripe_checkout_link: string | null;
    stripe_payment_link_id: string | null;
    stripe_price_id: string | null;
    created_at: Generated<Date>;
    version: GeneratedAlways<number>;
  };
  former_pack_prices: {
    stripe_price_id: string;
    stripe_payment_link_id: string | null;
    pack_id: string;
    price_eur: string;
    total_credit_eur: string;
    created_at: Generated<Date>;
  };
  credit_lots: {
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
  };
  monthly_game_progress: {
    user_id: string;
    month_year: string;
    games_completed: Generated<number>;
    reward_claimed: Generated<boolean>;
    claim_form_key: string | null;
  };
  payment_assignments: {
    id: Generated<string>;
    event_id: string;
    payment_id: string;
    user_id: string;
    customer_id: string | null;
    payload: ColumnType<StripeEvent, string, never>;
    reason: UnmatchedReason;
    assigned_at: Date;
    taken_back_at: Date | null;
  };
  payments: {
    id: Generated<string>;
    stripe_object_id: string;
    /** Null where an assignment was taken back, until it is given again. */
    user_id: string | null;
    assignments: Generated<number>;
    /** The business key of its entry in the ledger. */
    ledger_key: GeneratedAlways<string>;
    pack_id: string;
    amount_eur: string;
    credits_eur: string;
    subscription_id: string | null;
    refunded_eur: Generated<string>;
    /** When Stripe refunded last; unknown before receipts were written. */
    refunded_at: Date | null;
    /** Numbers of receipts, 1, 2, 3 in each year, by a trigger. */
    receipt_year: GeneratedAlways<number>;
    receipt_number: GeneratedAlways<number>;
    taken_back_eur: Generated<string>;
    owed_eur: Generated<string>;
    created_at: Generated<Date>;
  };
  pending_payments: {
    session_id: string;
    user_id: string;
    pack_id: string | null;
    hold_id: string | null;
    amount_eur: string;
    status: Generated<"Pending" | "Paid" | "Failed">;
    created_at: Date;
    ended_at: Date | null;
  };
  subscriptions: {
    id: string;
    customer_id: string;
    status: string;
    cancel_at_period_end: Generated<boolean>;
    current_period_end: Date | null;
    pack_id: string | null;
    state_at: Date;
  };
  stripe_events: {
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
  };
  refunds: {
    id: string;
    stripe_object_id: string;
    payment_intent_id: string;
    event_id: string | null;
    user_id: string | null;
    amount: number;
    currency: string;
    status: Generated<RefundStatus>;
    stripe_refund_id: string | null;
    asked_at: Date;
  };
  former_payers: { former_id: string; address_hash: string | null; user_id: string | null };
  lot_entries: { transaction_id: string; lot_id: string; amount_eur: string };
  payment_references: { id: string; stripe_object_id: string };
  disputes: {
    id: string;
    payment_id: string;
    amount_eur: string;
    status: string;
    state_at: Date | null;
  };
  stripe_customers: { customer_id: string; user_id: string; created_at: Generated<Date> };
}
