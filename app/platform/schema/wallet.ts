import type { Generated, GeneratedAlways, Selectable } from "kysely";

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
