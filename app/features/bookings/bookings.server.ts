import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { PaymentStatus } from "#app/platform/schema.ts";
import { freeSessionIsUsed } from "./free-session.server.ts";
import { type SoldTerms, soldTerms } from "./rules.ts";

export interface Ticket extends SoldTerms {
  id: string;
  gameId: string;
  paymentStatus: PaymentStatus;
  startsAt: Date;
  date: string;
  startTime: string;
  endTime: string;
  venueName: string;
  city: string;
  address: string | null;
  mapsUrl: string | null;
  photoUrl: string | null;
  isCalledOff: boolean;
}

/** Live bookings of games that are not over, soonest first. */
export async function listNextTickets(
  db: Db,
  { playerId, now }: { playerId: string; now: Date },
): Promise<Ticket[]> {
  const rows = await tickets(db, playerId)
    .where("payment_status", "in", ["Paid", "Unpaid"])
    .where("games.status", "=", "Published")
    .where("games.ends_at", ">", now)
    .orderBy("games.starts_at")
    .execute();
  return rows.map(toTicket);
}

interface EarlierPage {
  playerId: string;
  now: Date;
  /** The booking that the page comes after; null, or what is no id, for the first page. */
  after?: string | null;
  limit: number;
}

/** Everything else this player has booked, newest kick-off first; at most `limit`. */
export async function listEarlierTickets(
  db: Db,
  { playerId, now, after = null, limit }: EarlierPage,
): Promise<Ticket[]> {
  let query = tickets(db, playerId)
    .where((eb) =>
      eb.or([
        eb("payment_status", "in", ["Refunded", "Cancelled"]),
        eb("games.status", "!=", "Published"),
        eb("games.ends_at", "<=", now),
      ]),
    )
    .orderBy("games.starts_at", "desc")
    .orderBy("bookings.created_at", "desc")
    .orderBy("bookings.id", "desc")
    .limit(limit);
  if (isId(after)) query = query.where(comesAfter(after, playerId));
  return (await query.execute()).map(toTicket);
}

// By the order above; of somebody else's booking nothing comes after.
function comesAfter(bookingId: string, playerId: string) {
  return sql<boolean>`(games.starts_at, bookings.created_at, bookings.id) < (
    select starts_at, bookings.created_at, bookings.id
    from bookings join games on games.id = game_id
    where bookings.id = ${bookingId} and user_id = ${playerId})`;
}

export interface Standing {
  isIn: boolean;
  wasIn: boolean;
  hasUsedFreeSession: boolean;
  /** Is in, and gets the whole price back until kick-off. */
  cancelsFreely: boolean;
}

/** What a player's own bookings say about a game. */
export async function findStanding(
  db: Db,
  { gameId, playerId }: { gameId: string; playerId: string },
): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select coalesce(bool_or(payment_status in ('Paid', 'Unpaid')), false) as "isIn",
      coalesce(bool_or(payment_status = 'Paid' and price_eur > 0 and refund_hours = 0
        and refund_fee_eur = 0), false) as "cancelsFreely",
      count(*) > 0 as "wasIn",
      ${freeSessionIsUsed(playerId)} as "hasUsedFreeSession"
    from bookings where game_id = ${gameId} and user_id = ${playerId}`.execute(db);
  return rows[0]!;
}

/** The ids of the games that this player is in and that are not over. */
export async function listJoinedGames(
  db: Db,
  { playerId, now }: { playerId: string; now: Date },
): Promise<string[]> {
  const rows = await db
    .selectFrom("bookings")
    .innerJoin("games", "games.id", "game_id")
    .select("game_id")
    .where("user_id", "=", playerId)
    .where("payment_status", "in", ["Paid", "Unpaid"])
    .where("games.ends_at", ">", now)
    .execute();
  return rows.map(({ game_id }) => game_id);
}

/** Whether this player's one free session is used up. */
export async function hasUsedFreeSession(db: Db, playerId: string): Promise<boolean> {
  const { rows } = await sql<{ isUsed: boolean }>`
    select ${freeSessionIsUsed(playerId)} as "isUsed"`.execute(db);
  return rows[0]!.isUsed;
}

export interface Attendee {
  userId: string;
  firstName: string;
  lastName: string;
  profilePictureUrl: string | null;
}

/** Who plays, in the order of joining. For signed-in eyes only: it carries names. */
export async function listAttendees(db: Db, gameId: string): Promise<Attendee[]> {
  if (!isId(gameId)) return [];
  return db
    .selectFrom("bookings")
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .select([
      "profiles.user_id as userId",
      "first_name as firstName",
      "last_name as lastName",
      "profile_picture_url as profilePictureUrl",
    ])
    .where("game_id", "=", gameId)
    .where("payment_status", "in", ["Paid", "Unpaid"])
    .orderBy("bookings.created_at")
    .orderBy("bookings.id")
    .execute();
}

function tickets(db: Db, playerId: string) {
  return db
    .selectFrom("bookings")
    .innerJoin("games", "games.id", "bookings.game_id")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select([
      "bookings.id",
      "bookings.game_id as gameId",
      "payment_status as paymentStatus",
      "bookings.price_eur",
      "refund_hours",
      "refund_fee_eur",
      "uses_free_session",
      "games.starts_at as startsAt",
      "games.date",
      "games.start_time as startTime",
      "games.end_time as endTime",
      "games.status",
      "venues.name as venueName",
      "venues.city",
      "venues.address",
      "venues.maps_url as mapsUrl",
      sql<string | null>`venues.photo_urls[1]`.as("photoUrl"),
    ])
    .where("bookings.user_id", "=", playerId);
}

function toTicket(row: Awaited<ReturnType<ReturnType<typeof tickets>["execute"]>>[number]): Ticket {
  const { price_eur, refund_hours, refund_fee_eur, uses_free_session, status, ...ticket } = row;
  const terms = soldTerms({ price_eur, refund_hours, refund_fee_eur, uses_free_session });
  return { ...ticket, ...terms, isCalledOff: status === "Cancelled" };
}
