import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type {
  UsersTable,
  SecondFactorsTable,
  SessionsTable,
  AccountsTable,
  VerificationsTable,
  SignUpsTable,
  ProfilesTable,
} from "#app/platform/schema/people.ts";
import type {
  VenuesTable,
  GamesTable,
  BookingsTable,
  GameMessagesTable,
  GameResultsTable,
} from "#app/platform/schema/games.ts";
import type {
  WalletTransactionsTable,
  CreditPacksTable,
  FormerPackPricesTable,
  CreditLotsTable,
  MonthlyGameProgressTable,
  PaymentsTable,
  SubscriptionsTable,
  StripeEventsTable,
} from "#app/platform/schema/wallet.ts";

export type {
  Attendance,
  GameStatus,
  PaymentStatus,
  NewVenue,
  NewGame,
} from "#app/platform/schema/games.ts";
export type {
  TransactionType,
  LotSource,
  WalletTransaction,
  EventStatus,
  UnmatchedReason,
  StripeEvent,
} from "#app/platform/schema/wallet.ts";

/** The tables of db/migrations as Kysely sees them. Numerics are text, dates "YYYY-MM-DD". */
export interface Schema {
  users: UsersTable;
  sessions: SessionsTable;
  accounts: AccountsTable;
  verifications: VerificationsTable;
  sign_ups: SignUpsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: { user_id: string; code_hash: string };
  user_roles: { user_id: string; role: "admin"; created_at: Generated<Date> };
  profiles: ProfilesTable;
  shared_cards: { user_id: string; token: string; created_at: Generated<Date> };
  sign_in_failures: { email: string; device: string; failures: number; last_failed_at: Date };
  venues: VenuesTable;
  games: GamesTable;
  bookings: BookingsTable;
  game_results: GameResultsTable;
  game_messages: GameMessagesTable;
  former_free_sessions: { address_hash: string; kept_until: Date };
  former_payers: { former_id: string; address_hash: string | null; user_id: string | null };
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
  legal_page_versions: LegalPageVersionsTable;
  audit_log: AuditLogTable;
  support_messages: LettersTable & {
    kind: Generated<"message" | "withdrawal">;
    subject: string;
    message: string;
    withdrawal_id: string | null;
  };
  reviews: LettersTable & { rating: number; comment: string | null };
  withdrawals: WithdrawalsTable;
  letter_answers: LetterAnswersTable;
}

interface PartnersTable {
  id: Generated<string>;
  name: Generated<string>;
  logo_url: string | null;
  website_url: string | null;
  is_active: Generated<boolean>;
  sort_order: Generated<number>;
  created_at: Generated<Date>;
  version: GeneratedAlways<number>;
}

interface LegalPagesTable {
  page_type: "terms" | "privacy";
  title: string;
  content: string;
  updated_at: Generated<Date>;
  saved_by: Generated<string | null>;
  version: GeneratedAlways<number>;
}

interface LegalPageVersionsTable {
  page_type: "terms" | "privacy";
  version: number;
  title: string;
  content: string;
  saved_by: string | null;
  saved_at: Date;
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
  paid_back_at: Date | null;
  paid_back_by: string | null;
  credits_taken: Generated<boolean>;
  outcome: "refused" | "taken_back" | null;
  ended_at: Date | null;
  refused_by: string | null;
  refusal_reason: string | null;
}

/** Of a message or of a review, never of both. */
interface LetterAnswersTable {
  id: string;
  message_id: string | null;
  review_id: string | null;
  answer: string;
  answered_by: string;
  answered_at: Date;
}
