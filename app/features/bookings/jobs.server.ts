import { monthDay, weekdayAndTime } from "#app/platform/clock.ts";
import { type Db, inCents } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mail, Mailer } from "#app/platform/mail.server.ts";
import { refundKey } from "./bookings.server.ts";
import { findGameCalendar } from "./calendar.server.ts";
import { describeChange } from "./edit-game.server.ts";
import {
  addedToGameMail,
  bookingCancelledMail,
  bookingConfirmedMail,
  gameCancelledMail,
  gameChangedMail,
  gameMessageMail,
  removedFromGameMail,
} from "./emails.tsx";
import { cancelTerms, type GameFacts, isLive, soldTerms } from "./rules.ts";

interface BookingMails {
  "mail.booking-confirmed": { bookingId: string };
  "mail.booking-cancelled": { bookingId: string };
  /** The booking itself no longer tells whether a free session was given back. */
  "mail.game-cancelled": { bookingId: string; isFreeSessionBack?: boolean };
  /** The game before and after: it may change again before anybody reads it. */
  "mail.game-changed": { bookingId: string; version: number; before: GameFacts; after: GameFacts };
  "mail.added-to-game": { bookingId: string };
  "mail.removed-from-game": BookingMails["mail.game-cancelled"];
  "mail.game-message": { messageId: string; bookingId: string };
}

declare module "#app/platform/jobs.server.ts" {
  interface JobData extends BookingMails {}
}

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
}

export function bookingJobs({ env, db, mailer }: Tools): Pick<JobHandlers, keyof BookingMails> {
  const send =
    (kind: string, compose: Compose) => async (job: BookingMails["mail.game-cancelled"]) => {
      const { bookingId, isFreeSessionBack = false } = job;
      const booking = await findBooking(db, bookingId);
      const content = booking && (await compose(env, { ...booking, isFreeSessionBack }));
      if (content) await mailer({ ...content, to: booking.email, key: `${kind}:${bookingId}` });
    };
  const withCalendar =
    (compose: Compose): Compose =>
    async (site, booking) => {
      const mail = await compose(site, booking);
      const content = mail && (await findGameCalendar(db, site, booking));
      return content ? { ...mail, attachments: [{ ...CALENDAR_FILE, content }] } : mail;
    };
  // The job may have waited for the mail server until the booking was cancelled.
  const sendIfIn = (kind: string, compose: Compose) =>
    send(kind, (site, booking) => (booking.isIn ? compose(site, booking) : null));
  return {
    "mail.booking-confirmed": sendIfIn("booking-confirmed", withCalendar(bookingConfirmedMail)),
    "mail.added-to-game": sendIfIn("added-to-game", withCalendar(addedToGameMail)),
    "mail.game-changed": async ({ version, before, after, ...job }) => {
      const changes = await describeChange(db, before, after);
      const compose: Compose = (site, booking) => gameChangedMail(site, booking, changes);
      await sendIfIn(`game-changed:${version}`, withCalendar(compose))(job);
    },
    "mail.booking-cancelled": send("booking-cancelled", bookingCancelledMail),
    "mail.game-cancelled": send("game-cancelled", withCalendar(gameCancelledMail)),
    "mail.removed-from-game": send("removed-from-game", removedFromGameMail),
    "mail.game-message": ({ messageId, ...job }) =>
      send(`game-message:${messageId}`, async (site, booking) => {
        const message = await findMessage(db, messageId);
        if (!message) return null;
        const mail = await gameMessageMail(site, booking, message);
        return { ...mail, replyTo: env.contactEmail };
      })(job),
  };
}

// As a file: in the text's place, mail programs take it for an invitation and hide the text.
const CALENDAR_FILE = {
  filename: "game.ics",
  contentType: "text/calendar; charset=utf-8; method=PUBLISH",
};

type Compose = (
  site: Env,
  booking: NonNullable<Awaited<ReturnType<typeof findBooking>>> & { isFreeSessionBack: boolean },
) => Promise<Omit<Mail, "to" | "key"> | null> | null;

function findMessage(db: Db, messageId: string) {
  return db
    .selectFrom("game_messages")
    .select(["subject", "message"])
    .where("id", "=", messageId)
    .executeTakeFirst();
}

async function findBooking(db: Db, bookingId: string) {
  const row = await db
    .selectFrom("bookings")
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .innerJoin("games", "games.id", "bookings.game_id")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .leftJoin("wallet_transactions as refund", (join) =>
      join.on("refund.business_key", "=", refundKey(bookingId)),
    )
    .selectAll("bookings")
    .select(["profiles.email", "profiles.first_name", "games.date", "games.starts_at"])
    .select(["venues.name", "venues.city", inCents("refund.amount_eur").as("refundedCents")])
    .where("bookings.id", "=", bookingId)
    .executeTakeFirst();
  if (!row) return null;
  const { email, refundedCents, starts_at: startsAt } = row;
  const terms = soldTerms(row);
  return {
    email,
    isIn: isLive(row.payment_status),
    priceCents: terms.priceCents,
    refundedCents,
    gameId: row.game_id,
    playerId: row.user_id,
    firstName: row.first_name,
    when: `${weekdayAndTime(startsAt)}, ${monthDay(row.date)}`,
    where: `${row.name}, ${row.city}`,
    terms: `${cancelTerms(terms, startsAt, row.created_at)}.`,
  };
}
