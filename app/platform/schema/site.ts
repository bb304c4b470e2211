import type { ColumnType, Generated, GeneratedAlways } from "kysely";

export interface PartnersTable {
  id: Generated<string>;
  name: Generated<string>;
  logo_url: string | null;
  website_url: string | null;
  is_active: Generated<boolean>;
  sort_order: Generated<number>;
  created_at: Generated<Date>;
  version: GeneratedAlways<number>;
}

export interface LegalPagesTable {
  page_type: "terms" | "privacy";
  title: string;
  content: string;
  updated_at: Generated<Date>;
  saved_by: Generated<string | null>;
  version: GeneratedAlways<number>;
}

export interface LegalPageVersionsTable {
  page_type: "terms" | "privacy";
  version: number;
  title: string;
  content: string;
  saved_by: string | null;
  saved_at: Date;
}

export interface AuditLogTable {
  id: GeneratedAlways<number>;
  actor: string;
  action: string;
  subject: string;
  details: ColumnType<Record<string, unknown>, string, never>;
  created_at: Generated<Date>;
}

export interface LettersTable {
  id: Generated<string>;
  user_id: string;
  status: Generated<"open" | "done">;
  created_at: Generated<Date>;
}

export interface WithdrawalsTable {
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
export interface LetterAnswersTable {
  id: string;
  message_id: string | null;
  review_id: string | null;
  answer: string;
  answered_by: string;
  answered_at: Date;
}
