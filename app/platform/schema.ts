import type { Generated } from "kysely";
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
} from "#app/platform/schema/wallet.ts";
import type {
  PaymentsTable,
  SubscriptionsTable,
  StripeEventsTable,
} from "#app/platform/schema/payments.ts";
import type {
  PartnersTable,
  LegalPagesTable,
  LegalPageVersionsTable,
  AuditLogTable,
  LetterAnswersTable,
  LettersTable,
  WithdrawalsTable,
} from "#app/platform/schema/site.ts";

export type {
  Attendance,
  GameStatus,
  PaymentStatus,
  NewVenue,
  NewGame,
} from "#app/platform/schema/games.ts";
export type { TransactionType, LotSource, WalletTransaction } from "#app/platform/schema/wallet.ts";
export type { EventStatus, UnmatchedReason, StripeEvent } from "#app/platform/schema/payments.ts";

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
