import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { AnnouncementTables } from "#app/platform/schema/announcements.ts";
import type { GameTables } from "#app/platform/schema/games.ts";
import type { PeopleTables } from "#app/platform/schema/people.ts";
import type { WalletTables } from "#app/platform/schema/wallet.ts";

export type * from "#app/platform/schema/games.ts";
export type * from "#app/platform/schema/wallet.ts";

/** Small tables of admin by what a row is called, each with the column of a row's name. Its tab is
 * `/admin/` and this word in the plural, a new row's id `<word>Id`. */
export const ENTITIES = {
  pack: ["credit_packs", "pack_name"],
  partner: ["partners", "name"],
  venue: ["venues", "name"],
} as const satisfies Record<string, readonly [keyof Schema, string]>;
export type EntityNoun = keyof typeof ENTITIES;

/** The tables of db/migrations. Numerics are text, dates "YYYY-MM-DD". */
export interface Schema extends PeopleTables, GameTables, WalletTables, AnnouncementTables {
  partners: {
    id: Generated<string>;
    name: Generated<string>;
    logo_url: string | null;
    website_url: string | null;
    is_active: Generated<boolean>;
    sort_order: Generated<number>;
    created_at: Generated<Date>;
    version: GeneratedAlways<number>;
  };
  legal_pages: {
    page_type: "terms" | "privacy";
    title: string;
    content: string;
    updated_at: Generated<Date>;
    saved_by: Generated<string | null>;
    version: GeneratedAlways<number>;
  };
  legal_page_versions: {
    page_type: "terms" | "privacy";
    version: number;
    title: string;
    content: string;
    saved_by: string | null;
    saved_at: Date;
  };
  coming_legal_pages: {
    page_type: "terms" | "privacy";
    title: string;
    content: string;
    /** Helsinki's date, "YYYY-MM-DD". */
    holds_from: string;
    saved_by: string | null;
    saved_at: Date;
    version: GeneratedAlways<number>;
  };
  audit_log: {
    id: GeneratedAlways<number>;
    actor: string;
    action: string;
    subject: string;
    details: ColumnType<Record<string, unknown>, string, never>;
    created_at: Generated<Date>;
  };
  /** Counts of past weeks; `found` is the row that the metric's statement returned. */
  weekly_metrics: {
    metric: string;
    week: string;
    source: string;
    rules: string;
    found: ColumnType<Record<string, number>, string>;
  };
  upload_owner: { id: Generated<boolean>; mark: Generated<string> };
  week_changes: { source: string; week: string; id: GeneratedAlways<number> };
  support_messages: LettersTable & {
    kind: Generated<"message" | "withdrawal" | "report">;
    subject: string;
    message: string;
    withdrawal_id: string | null;
    reported_message_id: string | null;
    reported_user_id: string | null;
  };
  reviews: LettersTable & { rating: number; comment: string | null };
  withdrawals: {
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
  };
  /** Answers a message or a review, never both. */
  letter_answers: {
    id: string;
    message_id: string | null;
    review_id: string | null;
    answer: string;
    answered_by: string;
    answered_at: Date;
    reply_token: Generated<string>;
  };
  ticket_replies: {
    id: Generated<string>;
    answer_id: string;
    body: string;
    mail_key: string;
    mail_id: string | null;
    sent_from: string | null;
    created_at: Date;
  };
}

interface LettersTable {
  id: Generated<string>;
  user_id: string;
  status: Generated<"open" | "done">;
  created_at: Generated<Date>;
}
