import { sql } from "kysely";
import { PENDING_CASH, isPaymentOpen } from "#app/features/games/unfinished.server.ts";
import { type Db, inCents, isOneOf } from "#app/platform/db.server.ts";
import { cashBackText } from "./cash-texts.ts";

export type SeatCount = Record<"seats" | "games", number>;
export type Unpaid = Record<"played" | "toCome", SeatCount>;

export async function countUnpaid(db: Db, now: Date): Promise<Unpaid> {
  const { rows } = await sql<SeatCount & { isOver: boolean }>`
    select is_over as "isOver", count(*)::integer as seats,
      count(distinct game_id)::integer as games
    from bookings cross join lateral (
      select status, ends_at <= ${now} as is_over from games where games.id = game_id offset 0
    ) as games
    where ${isPaymentOpen("bookings")} and games.status in ('Published', 'Completed')
    group by is_over`.execute(db);
  const of = (isOver: boolean) => {
    const { seats, games } = rows.find((row) => row.isOver === isOver) ?? { seats: 0, games: 0 };
    return { seats, games };
  };
  return { played: of(true), toCome: of(false) };
}

export interface UnpaidSeat {
  bookingId: string;
  gameId: string;
  name: string;
  venueName: string;
  startsAt: Date;
}

/** Whom to ask, newest games first; `isOver` null for all games. */
export async function listUnpaidSeats(
  db: Db,
  { isOver, limit, now }: { isOver: boolean | null; limit: number; now: Date },
): Promise<UnpaidSeat[]> {
  const { rows } = await sql<UnpaidSeat>`
    select bookings.id as "bookingId", game_id as "gameId", starts_at as "startsAt",
      first_name || ' ' || last_name as name, venues.name as "venueName"
    from bookings cross join lateral (
      select status, starts_at, venue_id, ends_at <= ${now} as is_over
      from games where games.id = game_id offset 0
    ) as games
    join venues on venues.id = venue_id join profiles on profiles.user_id = bookings.user_id
    where ${isPaymentOpen("bookings")} and games.status in ('Published', 'Completed')
      and is_over = coalesce(${isOver}::boolean, is_over)
    order by starts_at desc, name, bookings.id limit ${limit}`.execute(db);
  return rows;
}

export type PendingCash = Record<"payments" | "games" | "cents", number>;

/** What was paid by hand by players who are no longer in. */
export async function countPendingCash(db: Db): Promise<PendingCash> {
  const { rows } = await sql<PendingCash>`
    select count(*)::integer as payments, count(distinct game_id)::integer as games,
      ${inCents(sql`sum(amount_eur)`)} as cents
    from ${PENDING_CASH}`.execute(db);
  return rows[0]!;
}

export async function findPendingCash(db: Db) {
  const { rows } = await sql<Record<"gameId" | "bookingId", string>>`
    select game_id as "gameId", booking_id as "bookingId" from ${PENDING_CASH}
    order by booking_id limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function sumPendingCash(
  db: Db,
  of: { gameId: string } | { playerId: string },
): Promise<number> {
  const isTheirs =
    "gameId" in of ? sql`due.game_id = ${of.gameId}` : sql`due.user_id = ${of.playerId}`;
  const { rows } = await sql<{ cents: number }>`
    select ${inCents(sql`sum(amount_eur)`)} as cents from ${PENDING_CASH} where ${isTheirs}`.execute(
    db,
  );
  return rows[0]!.cents;
}

type Asked = { bookingIds: string[] } | { gameId: string; playerId: string };

export async function describePendingCash(db: Db, of: Asked): Promise<Map<string, string>> {
  if ("bookingIds" in of && of.bookingIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("bookings")
    .innerJoin("cash_payments", "cash_payments.booking_id", "bookings.id")
    .select(["bookings.id", "method", "cash_promised as isPromised"])
    .select(inCents("amount_eur").as("amountCents"))
    .where((eb) =>
      "bookingIds" in of
        ? isOneOf("bookings.id", of.bookingIds)
        : eb.and({ game_id: of.gameId, user_id: of.playerId }),
    )
    .where("payment_status", "in", ["Refunded", "Cancelled"])
    .where("undone_at", "is", null)
    .where("kept_at", "is", null)
    .where("amount_eur", ">", "0")
    .execute();
  return new Map(
    rows.map(({ id, isPromised, ...cash }) => [id, cashBackText(cash, isPromised)] as const),
  );
}
