import { sql } from "kysely";
import { staysIn } from "#app/features/chat/messages.server.ts";
import { REVISION } from "#app/features/games/live-games.server.ts";
import { heldNow, ownHoldUntil, IS_LIVE } from "#app/features/games/held-spots.server.ts";
import { minimumText } from "#app/features/games/minimum-rules.ts";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { PaymentStatus } from "#app/platform/schema.ts";
import { IS_REFUND_PENDING } from "#app/features/seats/pending-refunds.server.ts";
import {
  distinctNotes,
  isLive,
  LIVE,
  type SoldTerms,
  soldTerms,
} from "#app/features/seats/rules.ts";
import { freeSessionIsUsed } from "#app/features/seats/free-session.server.ts";
import { liveBookings } from "#app/features/seats/seats.server.ts";

export type Ticket = ReturnType<typeof toTicket>;
export type NextTicket = Awaited<ReturnType<typeof listNextTickets>>[number];

/** Includes the organiser's notes, which only those who are in may read. */
export async function listNextTickets(db: Db, { playerId, now }: { playerId: string; now: Date }) {
  const rows = await tickets(db, playerId)
    .select(["games.player_notes as gameNotes", "venues.player_notes as venueNotes"])
    .select(["min_players as minPlayers", "decides_at as decidesAt", "decision"])
    .select("seats_taken as joinedCount")
    .select(
      sql<number>`(select count(*)::integer from waitlist_entries entry
      where entry.game_id = games.id and entry.status in ('Waiting', 'Offered'))`.as("waiting"),
    )
    .select(["max_players as maxPlayers", heldNow(now).as("heldCount")])
    .select([ownHoldUntil(playerId, now).as("holdsUntil")])
    .where("payment_status", "in", LIVE)
    .where("games.status", "=", "Published")
    .where("games.ends_at", ">", now)
    .orderBy("games.starts_at")
    .execute();
  return rows.map(({ gameNotes, venueNotes, waiting, ...row }) => ({
    ...toTicket(row),
    minimum: minimumText(row, now),
    waiting,
    maxPlayers: row.maxPlayers,
    joinedCount: row.joinedCount,
    heldCount: row.heldCount,
    holdsUntil: row.holdsUntil,
    notes: distinctNotes([gameNotes, venueNotes]),
  }));
}

/** Everything else, newest kick-off first; `after` is the last booking of the page before. */
export async function listEarlierTickets(
  db: Db,
  page: { playerId: string; now: Date; after?: string | null; limit: number },
): Promise<Ticket[]> {
  const { playerId, now, after = null, limit } = page;
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

// In the order above; nothing comes after another player's booking.
function comesAfter(bookingId: string, playerId: string) {
  return sql<boolean>`(games.starts_at, bookings.created_at, bookings.id) < (
    select starts_at, bookings.created_at, bookings.id
    from bookings join games on games.id = game_id
    where bookings.id = ${bookingId} and user_id = ${playerId})`;
}

const tickets = (db: Db, playerId: string) =>
  db
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
      "terms",
      "uses_free_session",
      "free_cancel_until",
      "attendance",
      "no_show_excused_at",
      "end_reason",
      "games.starts_at as startsAt",
      "games.ends_at as endsAt",
      "games.date",
      "games.start_time as startTime",
      "games.end_time as endTime",
      "games.status",
      "games.decision",
      "games.venue_id as venueId",
      "venues.name as venueName",
      "venues.city",
      "venues.address",
      "venues.maps_url as mapsUrl",
      sql<string | null>`venues.photo_urls[1]`.as("photoUrl"),
      inCents("late_refund_eur").as("lateRefundCents"),
      IS_REFUND_PENDING.as("isRefundPending"),
      REVISION.as("revision"),
    ])
    .where("bookings.user_id", "=", playerId);

function toTicket(row: Awaited<ReturnType<ReturnType<typeof tickets>["execute"]>>[number]) {
  const { price_eur, refund_hours, refund_fee_eur, terms, uses_free_session, ...rest } = row;
  const { free_cancel_until, end_reason, no_show_excused_at, ...ticket } = rest;
  const numbers = { price_eur, refund_hours, refund_fee_eur };
  const sold = soldTerms({ ...numbers, terms, uses_free_session, free_cancel_until });
  const isExcused = no_show_excused_at !== null;
  const showsRefundPending = ticket.isRefundPending && isLive(ticket.paymentStatus);
  const isCalledOff = showsRefundPending || end_reason === "GameCancelled";
  const isRemoved = end_reason === "Removed";
  return { ...ticket, ...sold, isExcused, isCalledOff, showsRefundPending, isRemoved };
}

interface OwnBookings {
  isIn: boolean;
  wasIn: boolean;
  /** In until the game was cancelled, too. */
  staysIn: boolean;
  hasUsedFreeSession: boolean;
  /** The live booking. */
  bookingId: string | null;
  /** Its terms; null without a paid one. */
  sold: SoldTerms | null;
}

type SoldRow = Parameters<typeof soldTerms>[0] & { payment_status: PaymentStatus | null };

export async function findOwnBookings(
  db: Db,
  { gameId, playerId }: { gameId: string; playerId: string },
): Promise<OwnBookings> {
  const { rows } = await sql<Omit<OwnBookings, "sold"> & SoldRow>`
    select own.*, live.id is not null as "isIn", live.id as "bookingId", payment_status, price_eur, refund_hours,
      refund_fee_eur, terms, uses_free_session, free_cancel_until
    from (select count(*) > 0 as "wasIn", coalesce(bool_or(${staysIn()}), false) as "staysIn",
        ${freeSessionIsUsed(playerId)} as "hasUsedFreeSession"
      from bookings where game_id = ${gameId} and user_id = ${playerId}) own
    left join bookings live on game_id = ${gameId} and user_id = ${playerId}
      and ${IS_LIVE}`.execute(db);
  const row = rows[0]!;
  return { ...row, sold: row.payment_status === "Paid" ? soldTerms(row) : null };
}

/** Whether the player is in a game to come, by the first booking of it. */
export async function isFirstBooking(
  db: Db,
  { gameId, playerId, now }: { gameId: string; playerId: string; now: Date },
): Promise<boolean> {
  if (!isId(gameId)) return false;
  const { rows } = await sql<{ isFirst: boolean }>`
    select count(*) = 1 and bool_and(${IS_LIVE} and status = 'Published' and starts_at > ${now})
      as "isFirst"
    from bookings join games on games.id = game_id
    where game_id = ${gameId} and user_id = ${playerId}`.execute(db);
  return rows[0]!.isFirst;
}

interface ViewerGames {
  /** Live bookings of games that are not over. */
  joined: string[];
  joinedFree: string[];
  waiting: string[];
  hasBooked: boolean;
  hasUsedFreeSession: boolean;
}

export async function findViewerGames(
  db: Db,
  { playerId, now }: { playerId: string; now: Date },
): Promise<ViewerGames> {
  const { rows } = await sql<ViewerGames>`
    select array(
        select game_id from bookings join games on games.id = game_id
        where user_id = ${playerId} and ${IS_LIVE} and ends_at > ${now}
      ) as joined,
      array(select game_id from bookings where user_id = ${playerId} and uses_free_session
        and ${IS_LIVE}) as "joinedFree",
      array(
        select game_id from waitlist_entries
        where user_id = ${playerId} and status in ('Waiting', 'Offered')
      ) as waiting,
      exists (select from bookings where user_id = ${playerId}) as "hasBooked",
      ${freeSessionIsUsed(playerId)} as "hasUsedFreeSession"`.execute(db);
  return rows[0]!;
}

const FACES = 4;

/** The first players of each game, for signed-in viewers, as `listAttendees` orders them. */
export async function listFaces(db: Db, gameIds: string[]) {
  const { rows } = await sql<{ gameId: string; firstName: string; pictureUrl: string | null }>`
    select game.id as "gameId", first_name as "firstName", profile_picture_url as "pictureUrl"
    from unnest(${gameIds}::uuid[]) as game (id) cross join lateral (
      select bookings.created_at, bookings.id, first_name, profile_picture_url
      from bookings join profiles on profiles.user_id = bookings.user_id
      where game_id = game.id and ${IS_LIVE} and deleted_at is null
      order by bookings.created_at, bookings.id limit ${FACES}
    ) seat
    order by game.id, seat.created_at, seat.id`.execute(db);
  return rows;
}

/** Lists who plays, in the order of joining. Only for signed-in viewers: it has names. */
export async function listAttendees(db: Db, gameId: string) {
  if (!isId(gameId)) return [];
  return liveBookings(db, gameId)
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .select(["profiles.user_id as userId", "first_name as firstName", "last_name as lastName"])
    .select(["profile_picture_url as profilePictureUrl", "team"])
    .orderBy("bookings.created_at")
    .orderBy("bookings.id")
    .execute();
}
