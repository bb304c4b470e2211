import { sql } from "kysely";
import { monthDay, weekdayAndTime } from "#app/platform/clock.ts";
import { type Db, inCents } from "#app/platform/db.server.ts";
import type { WaitStatus } from "#app/platform/schema.ts";
import { IS_UNANSWERED, priceOf } from "./order.server.ts";

export type EntryFacts = NonNullable<Awaited<ReturnType<typeof findEntryFacts>>>;

export async function findEntryFacts(db: Db, entryId: string) {
  const price = priceOf(sql.ref("entry.user_id"), sql.ref("is_first_session_free"));
  const row = await db
    .selectFrom("waitlist_entries as entry")
    .innerJoin("profiles", "profiles.user_id", "entry.user_id")
    .innerJoin("games", "games.id", "entry.game_id")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select(["entry.status", "needs_consent as needsConsent", "end_reason as endReason"])
    .select(["missed_offers as missedOffers", "games.version as gameVersion"])
    .select("offer_expires_at as offerExpiresAt")
    .select(IS_UNANSWERED.as("isUnanswered"))
    .select(["profiles.email", "first_name as firstName", "entry.game_id as gameId"])
    .select(["agreed_at as agreedAt", "not_after as notAfter", "games.status as gameStatus"])
    .select([inCents("max_price_eur").as("agreedCents"), inCents(price).as("priceCents")])
    .select([inCents("wallet_balance_eur").as("balanceCents")])
    .select([inCents("wallet_debt_eur").as("debtCents")])
    .select([
      "games.decision",
      "starts_at as startsAt",
      "games.date",
      "venues.name as venue",
      "venues.city",
    ])
    .where("entry.id", "=", entryId)
    .where("profiles.deleted_at", "is", null)
    .executeTakeFirst();
  if (!row) return null;
  const { startsAt, date, venue, city, decision, gameStatus, ...entry } = row;
  const status: WaitStatus = entry.status;
  const when = `${weekdayAndTime(startsAt)}, ${monthDay(date)}`;
  const hadTooFewPlayers = decision === "CalledOff";
  const isGameCancelled = gameStatus === "Cancelled";
  const facts = { kickOff: weekdayAndTime(startsAt), when, where: `${venue}, ${city}` };
  return { ...entry, isGameCancelled, hadTooFewPlayers, status, ...facts };
}
