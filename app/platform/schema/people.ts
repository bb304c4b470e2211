import type { Generated, GeneratedAlways } from "kysely";

export interface PeopleTables {
  users: {
    id: Generated<string>;
    name: string;
    email: string;
    /** The email address; where EMAIL_TAGS treats name+tag@ as name@, without the tag. */
    person_email: Generated<string>;
    email_verified: Generated<boolean>;
    image: string | null;
    suspended_at: Date | null;
    suspended_reason: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  sessions: {
    id: Generated<string>;
    user_id: string;
    token: string;
    expires_at: Date;
    ip_address: string | null;
    user_agent: string | null;
    second_factor_at: Date | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  second_factors: {
    user_id: string;
    secret: string;
    last_step: number;
    created_at: Generated<Date>;
  };
  accounts: {
    id: Generated<string>;
    user_id: string;
    account_id: string;
    provider_id: string;
    password: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  verifications: {
    id: Generated<string>;
    identifier: string;
    value: string;
    expires_at: Date;
    /** The person whose confirmation mails are limited together; null for other links. */
    mailbox: string | null;
    sends_at: Date | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  sign_ups: {
    id: Generated<string>;
    email: string;
    person_email: string;
    password_hash: string;
    browser_hash: string | null;
    first_name: string;
    last_name: string;
    date_of_birth: string;
    school_year: string;
    major: string;
    phone: string | null;
    redirect_to: string | null;
    created_at: Generated<Date>;
  };
  profiles: {
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
    had_free_session: Generated<boolean>;
    deleted_at: Date | null;
    created_at: Generated<Date>;
    search_words: GeneratedAlways<string>;
    sort_name: GeneratedAlways<string>;
  };
  recovery_codes: { user_id: string; code_hash: string };
  user_roles: { user_id: string; role: "admin"; created_at: Generated<Date> };
  shared_cards: { user_id: string; token: string; created_at: Generated<Date> };
  calendar_feeds: { user_id: string; token: string; created_at: Generated<Date> };
  sign_in_failures: { email: string; device: string; failures: number; last_failed_at: Date };
  notification_settings: {
    user_id: string;
    kind: string;
    email: Generated<boolean>;
    push: Generated<boolean>;
  };
  notifications_sent: { user_id: string; kind: string; subject: string; sent_at: Date };
  push_subscriptions: {
    id: Generated<string>;
    user_id: string;
    session_id: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    created_at: Date;
  };
}
