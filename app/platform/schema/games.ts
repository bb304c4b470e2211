import type { ColumnType, Generated, GeneratedAlways, Insertable } from "kysely";

/** Nothing here completes a game, whose time says that it is over: only imported data does. */
export type GameStatus = "Draft" | "Published" | "Cancelled" | "Completed";
export type PaymentStatus = "Paid" | "Unpaid" | "Refunded" | "Cancelled";
export type Attendance = "CheckedIn" | "NoShow";

export interface VenuesTable {
  id: Generated<string>;
  name: string;
  city: string;
  address: string | null;
  description: Generated<string>;
  maps_url: string | null;
  website: string | null;
  photo_urls: Generated<string[]>;
  photo_alts: Generated<string[]>;
  is_hidden: Generated<boolean>;
  created_at: Generated<Date>;
  version: GeneratedAlways<number>;
}

export interface GamesTable {
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
  series_id: string | null;
  created_at: Generated<Date>;
  version: GeneratedAlways<number>;
}

export interface BookingsTable {
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
  cancel_form_key: string | null;
  attendance: Attendance | null;
  goals: number | null;
  has_won: boolean | null;
  created_at: Generated<Date>;
}

export interface GameResultsTable {
  game_id: string;
  first_score: number;
  second_score: number;
  recorded_at: Date;
  version: Generated<number>;
}

export interface GameMessagesTable {
  id: string;
  game_id: string;
  sent_by: string;
  subject: string;
  message: string;
  sent_at: Date;
}

export type NewVenue = Insertable<VenuesTable>;
export type NewGame = Insertable<GamesTable>;
