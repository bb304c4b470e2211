import { findAnother, gameMail, openGame } from "#app/features/games/game-mail.tsx";
import { monthDay, weekdayAndTime } from "#app/platform/clock.ts";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { creditsCount } from "#app/platform/money.ts";
import { defineNotice } from "#app/platform/notices.ts";
import type { JoinError } from "./join-game.server.ts";

/** To who has paid for a game and could not be booked. */
export const creditsStay = defineNotice({
  kind: "credits-stay",
  label: "Paid, but not in",
  facts: ({ holdId }: { holdId: string }, { db }) => findDeclined(db, holdId),
  key: ({ holdId }) => `credits-stay:${holdId}`,
  email(declined, site) {
    const { why, isStillOpen, balanceCents } = declined;
    return gameMail(site, declined, {
      subject: `You are not in, and your credits stay: ${declined.when}`,
      title: "You are not in, and your credits stay",
      action: isStillOpen ? openGame(site, declined) : findAnother(site),
      text: `Your payment has arrived. ${why} You now have ${creditsCount(balanceCents)} for any game.`,
    });
  },
});

async function findDeclined(db: Db, holdId: string) {
  const row = await db
    .selectFrom("payment_holds as hold")
    .innerJoin("profiles", "profiles.user_id", "hold.user_id")
    .innerJoin("games", "games.id", "hold.game_id")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select(["hold.user_id as userId", "hold.game_id as gameId", "declined_reason as reason"])
    .select(["profiles.email", "first_name as firstName", "games.date"])
    .select(["starts_at as startsAt", "venues.name", "venues.city"])
    .select(inCents("wallet_balance_eur").as("balanceCents"))
    .where("hold.id", "=", holdId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!row?.reason) return null;
  const { reason, startsAt, date, name, city, ...facts } = row;
  const why = whyDeclined(reason);
  const when = `${weekdayAndTime(startsAt)}, ${monthDay(date)}`;
  return { ...facts, why, isStillOpen: !CLOSED.includes(reason), when, where: `${name}, ${city}` };
}

/** Why a payment for a game has not booked it. */
export const whyDeclined = (reason: string | null): string =>
  WHY[reason as JoinError] ?? NOT_BOOKED;

const FULL = "By then the game was full.";
const WAITS = "By then the free spots belonged to players on the waitlist.";
const NOT_BOOKED = "The spot could not be booked.";
const CLOSED = ["not-found", "not-published", "started", "account-gone", "suspended"];

const WHY: Record<JoinError, string> = {
  full: FULL,
  "belongs-to-waitlist": WAITS,
  changed: "The game has changed since you went to pay: look again, and join if that is fine.",
  "plays-meanwhile": "You play in another game at that time.",
  started: "By then the game had started.",
  "not-published": "The game was cancelled meanwhile.",
  "not-found": "The game was cancelled meanwhile.",
  "not-enough-credits": "You have too few credits for this game.",
  suspended: "Your account is suspended.",
  "account-gone": NOT_BOOKED,
  "already-joined": NOT_BOOKED,
  "no-offer": FULL,
  "hold-taken": FULL,
  "hold-over": FULL,
  "form-used": NOT_BOOKED,
  "form-of-other": NOT_BOOKED,
};
