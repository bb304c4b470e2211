import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable } from "kysely";

/** The tables of db/migrations as Kysely sees them. Numerics are text, dates "YYYY-MM-DD". */
export interface Schema {
  users: UsersTable;
  sessions: SessionsTable;
  accounts: AccountsTable;
  verifications: VerificationsTable;
  user_roles: { user_id: string; role: "admin"; created_at: Generated<Date> };
  profiles: ProfilesTable;
  shared_cards: { user_id: string; token: string; created_at: Generated<Date> };
  sign_in_failures: { email: string; device: string; failures: number; last_failed_at: Date };
  venues: VenuesTable;
  games: GamesTable;
  bookings: BookingsTable;
  wallet_transactions: WalletTransactionsTable;
  credit_packs: CreditPacksTable;
  former_pack_prices: FormerPackPricesTable;
  credit_lots: CreditLotsTable;
  lot_entries: { transaction_id: string; lot_id: string; amount_eur: string };
  payments: PaymentsTable;
  payment_references: { id: string; stripe_object_id: string };
  disputes: { id: string; payment_id: string; amount_eur: string; status: string };
  subscriptions: SubscriptionsTable;
  stripe_customers: { customer_id: string; user_id: string; created_at: Generated<Date> };
  stripe_events: StripeEventsTable;
  monthly_game_progress: MonthlyGameProgressTable;
  partners: PartnersTable;
  legal_pages: LegalPagesTable;
  audit_log: AuditLogTable;
  support_messages: LettersTable & {
    kind: Generated<"message" | "withdrawal">;
    subject: string;
    message: string;
  };
  reviews: LettersTable & { rating: number; comment: string | null };
  withdrawals: WithdrawalsTable;
}

export type GameStatus = "Draft" | "Published" | "Cancelled" | "Completed";
export type PaymentStatus = "Paid" | "Unpaid" | "Refunded" | "Cancelled";
export type TransactionType =
  | "topup"
  | "deduction"
  | "refund"
  | "credit"
  | "adjustment"
  | "expiry"
  | "reversal";
export type LotSource = "pack" | "subscription" | "reward" | "refund" | "adjustment";
export type EventStatus = "applied" | "ignored" | "parked" | "resolved";

interface UsersTable {
  id: Generated<string>;
  name: string;
  email: string;
  email_verified: Generated<boolean>;
  image: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface SessionsTable {
  id: Generated<string>;
  user_id: string;
  token: string;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface AccountsTable {
  id: Generated<string>;
  user_id: string;
  account_id: string;
  provider_id: string;
  password: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface VerificationsTable {
  id: Generated<string>;
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface ProfilesTable {
  user_id: string;
  first_name: string;
  last_name: string;
  date_of_birth: string;
  email: string;
  school_year: string;
  major: string;
  phone: string | null;
  sports_interests: Generated<string[]>;
  join_message_posted: Generated<boolean>;
  is_down_to_play: Generated<boolean>;
  position: "GK" | "DEF" | "MID" | "FWD" | null;
  nationality: string | null;
  nationality_code: string | null;
  profile_picture_url: string | null;
  wallet_balance_eur: Generated<string>;
  wallet_debt_eur: Generated<string>;
  created_at: Generated<Date>;
}

interface VenuesTable {
  id: Generated<string>;
  name: string;
  city: string;
  address: string | null;
  description: Generated<string>;
  maps_url: string | null;
  website: string | null;
  photo_urls: Generated<string[]>;
  photo_alts: Generated<string[]>;
  created_at: Generated<Date>;
}

interface GamesTable {
  id: Generated<string>;
  title: string;
  description: Generated<string>;
  sport: Generated<string>;
  date: string;
  start_time: string;
  end_time: string;
  status: Generated<GameStatus>;
  max_players: number;
  game_format: Generated<string>;
  is_outdoor: Generated<boolean>;
  venue_id: string;
  price_eur: Generated<string>;
  is_first_session_free: Generated<boolean>;
  seats_taken: ColumnType<number, never, never>;
  starts_at: GeneratedAlways<Date>;
  ends_at: GeneratedAlways<Date>;
  created_at: Generated<Date>;
}

interface BookingsTable {
  id: Generated<string>;
  user_id: string;
  game_id: string;
  payment_status: PaymentStatus;
  price_eur: Generated<string>;
  refund_hours: Generated<number>;
  refund_fee_eur: Generated<string>;
  uses_free_session: Generated<boolean>;
  cancelled_at: Date | null;
  cancel_reason: string | null;
  created_at: Generated<Date>;
}

interface WalletTransactionsTable {
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

interface CreditPacksTable {
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
}

interface FormerPackPricesTable {
  stripe_price_id: string;
  stripe_payment_link_id: string | null;
  pack_id: string;
  price_eur: string;
  total_credit_eur: string;
  created_at: Generated<Date>;
}

interface CreditLotsTable {
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

interface PaymentsTable {
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

interface SubscriptionsTable {
  id: string;
  customer_id: string;
  status: string;
  cancel_at_period_end: Generated<boolean>;
  current_period_end: Date | null;
  pack_id: string | null;
  state_at: Date;
}

interface StripeEventsTable {
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

interface MonthlyGameProgressTable {
  user_id: string;
  month_year: string;
  games_completed: Generated<number>;
  reward_claimed: Generated<boolean>;
}

interface PartnersTable {
  id: Generated<string>;
  name: Generated<string>;
  logo_url: string | null;
  website_url: string | null;
  is_active: Generated<boolean>;
  sort_order: Generated<number>;
  created_at: Generated<Date>;
}

interface LegalPagesTable {
  page_type: "terms" | "privacy";
  title: string;
  content: string;
  updated_at: Generated<Date>;
}

interface AuditLogTable {
  id: GeneratedAlways<number>;
  actor: string;
  action: string;
  subject: string;
  details: ColumnType<Record<string, unknown>, string, never>;
  created_at: Generated<Date>;
}

interface LettersTable {
  id: Generated<string>;
  user_id: string;
  status: Generated<"open" | "done">;
  created_at: Generated<Date>;
}

interface WithdrawalsTable {
  id: Generated<string>;
  user_id: string;
  payment_id: string;
  credits_eur: string;
  amount_eur: string;
  refunded_before_eur: Generated<string>;
  stated_at: Date;
}

export type NewVenue = Insertable<VenuesTable>;
export type NewGame = Insertable<GamesTable>;
export type WalletTransaction = Selectable<WalletTransactionsTable>;
