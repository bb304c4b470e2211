import type {
  GameDecision,
  GameStatus,
  HoldStatus,
  PaymentHoldStatus,
  PaymentStatus,
  WaitStatus,
} from "#app/platform/schema.ts";
import type { TestDatabase } from "./db.ts";

/** What the database holds of some players and games, as plain rows. Instants are milliseconds. */
export interface Rows {
  players: PlayerRow[];
  games: GameRow[];
  bookings: BookingRow[];
  entries: EntryRow[];
  holds: HoldRow[];
  paying: PayingRow[];
}

interface PlayerRow {
  id: string;
  cents: number;
  debtCents: number;
  /** The sum of all entries. */
  ledgerCents: number;
  isSuspended: boolean;
  hasUsedFree: boolean;
}

export interface GameRow {
  id: string;
  status: GameStatus;
  startsAt: number;
  endsAt: number;
  decidesAt: number | null;
  spots: number;
  taken: number;
  held: number;
  isFree: boolean;
  decision: GameDecision | null;
  version: number;
}

export interface BookingRow {
  id: string;
  gameId: string;
  playerId: string;
  status: PaymentStatus;
  cents: number;
  lateCents: number | null;
  /** What the ledger says came back. */
  backCents: number;
  endReason: string | null;
}

export interface EntryRow {
  id: string;
  gameId: string;
  playerId: string;
  status: WaitStatus;
  mode: string;
  needsConsent: boolean;
  maxCents: number;
  notAfter: number;
  knownStart: number;
  knownEnd: number;
  missed: number;
  unanswered: number;
  since: number;
}

interface HoldRow {
  id: string;
  gameId: string;
  status: HoldStatus;
}

export interface PayingRow {
  id: string;
  gameId: string;
  playerId: string;
  status: PaymentHoldStatus;
  holdsSpot: boolean;
  isPaid: boolean;
}

const instant = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const cents = (amount: string) => `(${amount} * 100)::int`;
const ofGames = (columns: string, table: string) => `(select coalesce(json_agg(r), '[]')
  from (select ${columns} from ${table} where game_id = any($2)) r)`;

const PLAYERS = `select p.id, ${cents("wallet_balance_eur")} as cents,
    ${cents("wallet_debt_eur")} as "debtCents", suspended_at is not null as "isSuspended",
    coalesce((select ${cents("sum(amount_eur)")} from wallet_transactions entry
      where entry.user_id = p.id and entry.status = 'completed'), 0) as "ledgerCents",
    had_free_session or exists (select from bookings
      where bookings.user_id = p.id and uses_free_session) as "hasUsedFree"
  from unnest($1::uuid[]) with ordinality p (id, n)
  join profiles on profiles.user_id = p.id join users on users.id = p.id order by n`;
const GAMES = `select g.id, status, ${instant("starts_at")} as "startsAt", ${instant("ends_at")} as "endsAt",
    ${instant("decides_at")} as "decidesAt", max_players as spots,
    seats_taken as taken, spots_held as held, is_first_session_free as "isFree", decision, version
  from unnest($2::uuid[]) with ordinality g (id, n) join games using (id) order by n`;
const BOOKINGS = `id, game_id as "gameId", user_id as "playerId", payment_status as status,
  ${cents("price_eur")} as cents, ${cents("late_refund_eur")} as "lateCents",
  end_reason as "endReason", coalesce((select ${cents("sum(amount_eur)")}
    from wallet_transactions entry where booking_id = bookings.id and type = 'refund'), 0)
    as "backCents"`;
const ENTRIES = `id, game_id as "gameId", user_id as "playerId", status, mode,
  needs_consent as "needsConsent", ${cents("max_price_eur")} as "maxCents",
  ${instant("not_after")} as "notAfter", ${instant("game_starts_at")} as "knownStart",
  ${instant("game_ends_at")} as "knownEnd",
  missed_offers as missed, unanswered_offers as unanswered, ${instant("created_at")} as since`;
const PAYING = `id, game_id as "gameId", user_id as "playerId", status, holds_spot as "holdsSpot",
  paid_at is not null as "isPaid"`;
const ALL = `select (select json_agg(r) from (${PLAYERS}) r) as players,
  (select json_agg(r) from (${GAMES}) r) as games,
  ${ofGames(BOOKINGS, "bookings")} as bookings, ${ofGames(ENTRIES, "waitlist_entries")} as entries,
  ${ofGames(`id, game_id as "gameId", status`, "friend_holds")} as holds,
  ${ofGames(PAYING, "payment_holds")} as paying`;

/** In the order of the ids. */
export async function readRows(
  { pool }: TestDatabase,
  { players, games }: { players: string[]; games: string[] },
): Promise<Rows> {
  // Named, so that it is planned once.
  const query = { name: "booking-rows", text: ALL, values: [players, games] };
  const { rows } = await pool.query<Rows>(query);
  return rows[0]!;
}
