import type { ColumnType, Generated, GeneratedAlways } from "kysely";

export interface UsersTable {
  id: Generated<string>;
  name: string;
  email: string;
  /** Where name+tag@ is name@ (EMAIL_TAGS) both have name@ here; by default the address. */
  person_email: Generated<string>;
  email_verified: Generated<boolean>;
  image: string | null;
  suspended_at: Date | null;
  suspended_reason: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface SessionsTable {
  id: Generated<string>;
  user_id: string;
  token: string;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  second_factor_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface SecondFactorsTable {
  user_id: string;
  secret: string;
  /** The time step of the newest code used; int8 arrives as text. */
  last_step: ColumnType<string, number, number>;
  created_at: Generated<Date>;
}

export interface AccountsTable {
  id: Generated<string>;
  user_id: string;
  account_id: string;
  provider_id: string;
  password: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface VerificationsTable {
  id: Generated<string>;
  identifier: string;
  value: string;
  expires_at: Date;
  /** The person whose confirmation mails this one counts with; null for other links. */
  mailbox: string | null;
  sends_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface SignUpsTable {
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
}

export interface ProfilesTable {
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
}
