import type { ColumnType, Generated, GeneratedAlways, Insertable } from "kysely";

/** Only imported data is Completed: a game is over when its time has passed. */
export type GameStatus = "Draft" | "Published" | "Cancelled" | "Completed";
export type PaymentStatus = "Paid" | "Unpaid" | "Refunded" | "Cancelled";
export type GameLevel = "All levels" | "Relaxed" | "Competitive";
/** "On": enough players were in when it was decided. */
export type GameDecision = "On" | "PlayAnyway" | "CalledOff";
export type Attendance = "CheckedIn" | "NoShow";
export type EndReason = "Left" | "Removed" | "GameCancelled";
export type CashMethod = "Cash" | "MobilePay" | "Other";
export type CashUndoing = "Mistake" | "GivenBack";

/** "FirstGame" is written by a player's first join, "Announcement" goes to all players. */
export type ChatMessageKind = "Text" | "FirstGame" | "Announcement";
export type ChatRemoval = "Author" | "Organiser" | "AccountDeleted";

/** "auto" books a spot at once, "ask" asks first. */
export type WaitMode = "auto" | "ask";
export type WaitStatus = "Waiting" | "Offered" | "Promoted" | "Left" | "Lapsed";
export type PassedOver = "credits" | "debt" | "suspended" | "busy";
export type WaitEndReason =
  | "Left"
  | "Removed"
  | "TimePassed"
  | "GameCancelled"
  | "GameStarted"
  | "AccountDeleted";

/** The price comes back minus the fee. */
export interface CancellationStep {
  /** Hours before kick-off, at least. */
  until: number;
  feeCents: number;
}

/** Why a game of a bulk cancellation was left as it is. */
export type SkippedGame = "changed" | "closed" | "played";
export type HoldStatus = "Held" | "Taken" | "Lapsed" | "GivenBack";
export type PaymentHoldStatus = "Held" | "Lapsed" | "Booked" | "Declined" | "GivenBack";
export type Bib = "Yellow" | "Blue" | "Orange" | "Green" | "Red" | "White" | "Black" | "None";

export type NewVenue = Insertable<GameTables["venues"]>;
export type NewGame = Insertable<GameTables["games"]>;

export interface GameTables {
  venues: {
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
    player_notes: Generated<string>;
    created_at: Generated<Date>;
    version: GeneratedAlways<number>;
    changed_at: GeneratedAlways<Date>;
  };
  games: {
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
    level: GameLevel | null;
    player_notes: Generated<string>;
    keeps_result: Generated<boolean>;
    min_players: number | null;
    decides_hours: ColumnType<string, number | undefined, number>;
    decides_at: Date | null;
    decision: GameDecision | null;
    decided_at: Date | null;
    decision_warned_at: Date | null;
    seats_taken: ColumnType<number, never, never>;
    spots_held: ColumnType<number, never, never>;
    revision: ColumnType<number, never, number>;
    starts_at: GeneratedAlways<Date>;
    ends_at: GeneratedAlways<Date>;
    series_id: string | null;
    created_at: Generated<Date>;
    version: GeneratedAlways<number>;
    changed_at: GeneratedAlways<Date>;
  };
  bookings: {
    id: Generated<string>;
    user_id: string;
    game_id: string;
    payment_status: PaymentStatus;
    price_eur: Generated<string>;
    refund_hours: Generated<number>;
    refund_fee_eur: Generated<string>;
    /** Null: the two numbers above are the one step. */
    terms: ColumnType<CancellationStep[] | null, string | undefined, string>;
    uses_free_session: Generated<boolean>;
    cancelled_at: Date | null;
    cancel_reason: string | null;
    cancel_form_key: string | null;
    end_reason: EndReason | null;
    late_refund_eur: string | null;
    free_cancel_until: Date | null;
    attendance: Attendance | null;
    no_show_excused_at: Date | null;
    no_show_excused_by: string | null;
    no_show_excuse: string | null;
    not_collected_at: Date | null;
    cash_promised: Generated<boolean>;
    mark_version: GeneratedAlways<number>;
    goals: number | null;
    has_won: boolean | null;
    /** Null before teams are made, and for players who joined later. */
    team: number | null;
    created_at: Generated<Date>;
  };
  game_lineups: {
    game_id: string;
    seed: number;
    published_at: Date | null;
    version: Generated<number>;
  };
  game_teams: { game_id: string; number: number; bib: Bib };
  cash_payments: {
    id: string;
    booking_id: string;
    amount_eur: string;
    method: CashMethod;
    noted_by: string;
    noted_at: Date;
    undone_kind: CashUndoing | null;
    undone_by: string | null;
    undone_at: Date | null;
    kept_at: Date | null;
    booking_ended: GeneratedAlways<boolean>;
  };
  waitlist_entries: {
    id: Generated<string>;
    game_id: string;
    user_id: string;
    mode: WaitMode;
    status: Generated<WaitStatus>;
    agreed_text: Generated<string>;
    agreed_version: Generated<number>;
    agreed_at: Generated<Date>;
    agreed_key: Generated<string>;
    game_starts_at: Date | null;
    game_ends_at: Date | null;
    game_venue_id: string | null;
    max_price_eur: string;
    until_hours: Generated<number>;
    not_after: Date;
    needs_consent: Generated<boolean>;
    offer_expires_at: Date | null;
    missed_offers: Generated<number>;
    unanswered_offers: Generated<number>;
    offered_at: Date | null;
    passed_over: PassedOver | null;
    promote_reason: string | null;
    end_reason: WaitEndReason | null;
    booking_id: string | null;
    created_at: Generated<Date>;
    ended_at: Date | null;
  };
  friend_holds: {
    id: Generated<string>;
    game_id: string;
    user_id: string;
    token: string;
    status: Generated<HoldStatus>;
    expires_at: Date;
    booking_id: string | null;
    created_at: Generated<Date>;
    ended_at: Date | null;
  };
  payment_holds: {
    id: Generated<string>;
    game_id: string;
    user_id: string;
    status: Generated<PaymentHoldStatus>;
    holds_spot: boolean;
    shown: ColumnType<Record<string, string>, string, string>;
    friend_token: string | null;
    pack_id: string | null;
    session_id: string | null;
    created_at: Generated<Date>;
    expires_at: Date;
    paid_at: Date | null;
    ended_at: Date | null;
    declined_reason: string | null;
  };
  bulk_cancellations: {
    id: string;
    cancelled_by: string;
    message: string | null;
    created_at: Date;
  };
  bulk_cancellation_games: {
    cancellation_id: string;
    game_id: string;
    skipped: SkippedGame | null;
    players: number | null;
    refunded_eur: string | null;
    finished_at: Date | null;
  };
  game_results: {
    game_id: string;
    first_score: number;
    second_score: number;
    third_score: number | null;
    fourth_score: number | null;
    recorded_at: Date;
    version: Generated<number>;
  };
  game_messages: {
    id: string;
    game_id: string;
    sent_by: string;
    subject: string;
    message: string;
    sent_at: Date;
    sent_to: Generated<number>;
  };
  chats: { game_id: string; last_number: Generated<number> };
  chat_members: {
    user_id: string;
    game_id: string;
    read_number: Generated<number>;
    is_muted: Generated<boolean>;
    pushed_number: Generated<number>;
    pushed_at: Date | null;
    organiser_pushed_number: Generated<number>;
  };
  player_blocks: { user_id: string; blocked_id: string; created_at: Generated<Date> };
  chat_messages: {
    id: Generated<string>;
    game_id: string;
    number: number;
    user_id: string | null;
    kind: Generated<ChatMessageKind>;
    body: string | null;
    created_at: Generated<Date>;
    pinned_at: Date | null;
    removed_at: Date | null;
    removed_by: ChatRemoval | null;
  };
  former_free_sessions: { address_hash: string; kept_until: Date };
}
