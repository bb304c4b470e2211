import { sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";

export interface PaidOutcome {
  gameId: string;
  /** `awaiting`: the payment is under way; `booking`: paid, and the booking follows. */
  state: "awaiting" | "booking" | "booked" | "declined";
  declinedReason: string | null;
  /** What the booking has cost; null without one. */
  spentCents: number | null;
  /** Paid when the spot was held no more. */
  isLate: boolean;
}

interface Session {
  userId: string;
  sessionId: string;
}

/** What has come of the game that this checkout session pays for; null if it pays for none. */
export async function findPaidOutcome(
  db: Db,
  { userId, sessionId }: Session,
): Promise<PaidOutcome | null> {
  const { rows } = await sql<PaidOutcome>`
    select game_id as "gameId", declined_reason as "declinedReason",
      holds_spot and paid_at > expires_at as "isLate",
      -- The booking has the id of the intention.
      (select ${inCents("price_eur")} from bookings where bookings.id = payment_holds.id)
        as "spentCents",
      case when status = 'Booked' then 'booked' when status = 'Declined' then 'declined'
        when paid_at is null then 'awaiting' else 'booking' end as state
    from payment_holds
    where user_id = ${userId} and status <> 'GivenBack' and session_id in (${sessionId},
      (select stripe_object_id from payment_references where id = ${sessionId}))
    order by created_at desc limit 1`.execute(db);
  return rows[0] ?? null;
}
