import { monthDay, weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { MailContent, Mailer } from "#app/platform/mail.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { describeChange } from "./change-words.server.ts";
import {
  bookingCancelledMail,
  bookingConfirmedMail,
  gameCancelledMail,
  gameChangedMail,
} from "./emails.tsx";
import { cancelTerms, type GameFacts, soldTerms } from "./rules.ts";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "mail.booking-confirmed": { bookingId: string };
    "mail.booking-cancelled": { bookingId: string };
    "mail.game-cancelled": { bookingId: string };
    /** The game before and after: it may change again before anybody reads it. */
    "mail.game-changed": {
      bookingId: string;
      version: number;
      before: GameFacts;
      after: GameFacts;
    };
    "mail.added-to-game": { bookingId: string };
    "mail.removed-from-game": { bookingId: string };
    "mail.game-message": { messageId: string; bookingId: string };
  }
}

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
}
type BookingQueue =
  | "mail.booking-confirmed"
  | "mail.booking-cancelled"
  | "mail.game-cancelled"
  | "mail.game-changed";

/** The mails about bookings. Repeating one sends it again under the same key. */
export function bookingJobs({ env, db, mailer }: Tools): Pick<JobHandlers, BookingQueue> {
  const send = async (bookingId: string, kind: string, compose: Compose) => {
    const booking = await findBookingFacts(db, bookingId);
    const content = booking && (await compose(booking));
    if (content) await mailer({ ...content, to: booking.email, key: `${kind}:${bookingId}` });
  };
  return {
    "mail.booking-confirmed": ({ bookingId }) =>
      send(bookingId, "booking-confirmed", (booking) =>
        // It may have waited for the mail server longer than the booking stood.
        booking.isLive
          ? bookingConfirmedMail(env, { ...booking.news, cents: booking.priceCents })
          : null,
      ),
    "mail.booking-cancelled": ({ bookingId }) =>
      send(bookingId, "booking-cancelled", (booking) =>
        bookingCancelledMail(env, { ...booking.news, cents: booking.refundedCents }),
      ),
    "mail.game-cancelled": ({ bookingId }) =>
      send(bookingId, "game-cancelled", (booking) =>
        gameCancelledMail(env, { ...booking.news, cents: booking.refundedCents }),
      ),
    "mail.game-changed": async ({ bookingId, version, before, after }) => {
      const changes = await describeChange(db, before, after);
      await send(bookingId, `game-changed:${version}`, (booking) =>
        booking.isLive ? gameChangedMail(env, { ...booking.news, changes }) : null,
      );
    },
  };
}

type Facts = NonNullable<Awaited<ReturnType<typeof findBookingFacts>>>;
/** Null where there is nothing to say any more. */
type Compose = (booking: Facts) => Promise<MailContent> | null;

/** What the mails about a booking say; null where there is no such booking. */
export async function findBookingFacts(db: Db, bookingId: string) {
  const row = await db
    .selectFrom("bookings")
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .innerJoin("games", "games.id", "bookings.game_id")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .leftJoin("wallet_transactions as refund", (join) =>
      join.onRef("refund.booking_id", "=", "bookings.id").on("refund.type", "=", "refund"),
    )
    .selectAll("bookings")
    .select([
      "profiles.email",
      "profiles.first_name",
      "games.date",
      "games.starts_at",
      "venues.name",
      "venues.city",
      "refund.amount_eur as refunded",
    ])
    .where("bookings.id", "=", bookingId)
    .executeTakeFirst();
  if (!row) return null;
  const terms = soldTerms(row);
  return {
    email: row.email,
    isLive: row.payment_status === "Paid" || row.payment_status === "Unpaid",
    priceCents: terms.priceCents,
    refundedCents: row.refunded ? centsFromNumeric(row.refunded) : 0,
    news: {
      gameId: row.game_id,
      firstName: row.first_name,
      when: `${weekdayAndTime(row.starts_at)}, ${monthDay(row.date)}`,
      where: `${row.name}, ${row.city}`,
      terms: `${cancelTerms(terms, row.starts_at, row.created_at)}.`,
    },
  };
}
