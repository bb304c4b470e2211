import { sql } from "kysely";
import { addGame, addVenue } from "../db/insert.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import type { NewGame, NewVenue } from "#app/platform/schema.ts";
import { insertPlayer } from "#app/features/players/profiles.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";

/** When the tests play: a Saturday in Helsinki, 12:00. */
export const NOW = new Date("2026-11-21T10:00:00Z");

/** An instant so many hours after NOW, or before it. */
export const hoursLater = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

let number = 0;

/** A confirmed player with so many credits; no password leads to the account. Answers the id. */
export async function aPlayer(db: Db, { name = "Cleo", credits = 0 } = {}): Promise<string> {
  number += 1;
  const player = {
    email: `${name.toLowerCase()}${number}@uni.example`,
    firstName: name,
    lastName: `Number${"i".repeat((number % 9) + 1)}`,
    passwordHash: "no-password",
    dateOfBirth: "2001-05-17",
    schoolYear: "Master" as const,
    major: "Physics",
    phone: null,
  };
  const userId = await db.transaction().execute((tx) => insertPlayer(tx, player));
  if (!userId) throw new Error(`${player.email} is taken`);
  if (credits > 0) await topUp(db, { userId, amountCents: credits * 100, key: userId });
  return userId;
}

/** Ada can pay for ten games. */
export const ada = (db: Db) => aPlayer(db, { name: "Ada", credits: 100 });
/** Ben cannot pay for any. */
export const ben = (db: Db) => aPlayer(db, { name: "Ben" });

/** Several players with so many credits each. */
export const somePlayers = (db: Db, count: number, credits: number) =>
  Promise.all(Array.from({ length: count }, () => aPlayer(db, { credits })));

export function aVenue(db: Db, venue: Partial<NewVenue> = {}): Promise<string> {
  return addVenue(db, { name: "Campus Hall", city: "Espoo", address: "Otakaari 1", ...venue });
}

type GameWish = Partial<NewGame> & { startsIn?: number; spots?: number };

/** A published game of 90 minutes, `startsIn` hours after NOW, at a venue of its own. */
export async function aGame(db: Db, wish: GameWish = {}): Promise<string> {
  const { startsIn = 48, spots = 10, venue_id, ...columns } = wish;
  const { date, time: start_time } = wallClock(hoursLater(startsIn));
  return addGame(db, {
    title: "Indoor futsal",
    date,
    start_time,
    end_time: wallClock(hoursLater(startsIn + 1.5)).time,
    status: "Published",
    max_players: spots,
    venue_id: venue_id ?? (await aVenue(db)),
    ...columns,
  });
}

export async function balanceCents(db: Db, userId: string): Promise<number> {
  const profile = await db
    .selectFrom("profiles")
    .select("wallet_balance_eur")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return centsFromNumeric(profile.wallet_balance_eur);
}

export function bookingsOf(db: Db, gameId: string) {
  const bookings = db.selectFrom("bookings").selectAll().where("game_id", "=", gameId);
  return bookings.orderBy("created_at").orderBy("id").execute();
}

/**
 * All that a booking or a payment may touch, as one value: equal before and after, nothing was
 * written. Events of Stripe are left out: they are recorded even if they change nothing.
 */
export async function everything(db: Db): Promise<unknown> {
  const { rows } = await sql<{ state: unknown }>`select json_build_object(
    'profiles', (select json_agg(p order by user_id) from profiles p),
    'games', (select json_agg(g order by id) from games g),
    'bookings', (select json_agg(b order by id) from bookings b),
    'ledger', (select json_agg(t order by seq) from wallet_transactions t),
    'lots', (select json_agg(l order by seq) from credit_lots l),
    'splits', (select json_agg(e order by transaction_id, lot_id) from lot_entries e),
    'payments', (select json_agg(p order by id) from payments p),
    'pending', (select json_agg(p order by session_id) from pending_payments p),
    'disputes', (select json_agg(d order by id) from disputes d),
    'paymentHolds', (select json_agg(h order by id) from payment_holds h),
    'customers', (select json_agg(c order by customer_id) from stripe_customers c),
    'jobs', (select count(*) from pgboss.job),
    'auditEntries', (select count(*) from audit_log)) as state`.execute(db);
  return rows[0]?.state;
}

/** Deletes what wallets and payments see; deleteAccount does all of it. */
export async function markDeleted(db: Db, userId: string): Promise<void> {
  const profile = db.updateTable("profiles").set({ deleted_at: NOW });
  await profile.where("user_id", "=", userId).execute();
}
