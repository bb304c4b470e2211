import { monthDay, weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mail, Mailer } from "#app/platform/mail.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
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

type BookingQueue =
  | "mail.booking-confirmed"
  | "mail.booking-cancelled"
  | "mail.game-cancelled"
  | "mail.game-changed"
  | "mail.added-to-game"
  | "mail.removed-from-game"
  | "mail.game-message";

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
}

export function bookingJobs({ env, db, mailer }: Tools): Pick<JobHandlers, BookingQueue> {
  const send = (kind: string, compose: Compose) => async (job: { bookingId: string }) => {
    const booking = await findBookingFacts(db, job.bookingId);
    const content = booking && (await compose(booking));
    if (content) await mailer({ ...content, to: booking.email, key: `${kind}:${job.bookingId}` });
  };
  return {
    // The job may have waited for the mail server until the booking was cancelled.
    "mail.booking-confirmed": send("booking-confirmed", ({ isIn, summary, priceCents }) =>
      isIn ? bookingConfirmedMail(env, { ...summary, cents: priceCents }) : null,
    ),
    "mail.added-to-game": send("added-to-game", ({ isIn, summary }) =>
      isIn ? addedToGameMail(env, summary) : null,
    ),
    "mail.game-changed": async ({ version, before, after, ...job }) => {
      const changes = await describeChange(db, before, after);
      await send(`game-changed:${version}`, ({ isIn, summary }) =>
        isIn ? gameChangedMail(env, { ...summary, changes }) : null,
      )(job);
    },
    "mail.booking-cancelled": send("booking-cancelled", ({ summary, refundedCents }) =>
      bookingCancelledMail(env, { ...summary, cents: refundedCents }),
    ),
    "mail.game-cancelled": send("game-cancelled", ({ summary, refundedCents }) =>
      gameCancelledMail(env, { ...summary, cents: refundedCents }),
    ),
    "mail.removed-from-game": send("removed-from-game", ({ summary, refundedCents }) =>
      removedFromGameMail(env, { ...summary, cents: refundedCents }),
    ),
    "mail.game-message": ({ messageId, ...job }) =>
      send(`game-message:${messageId}`, async ({ summary }) => {
        const message = await findMessage(db, messageId);
        if (!message) return null;
        const mail = await gameMessageMail(env, { ...summary, ...message });
        return { ...mail, replyTo: env.contactEmail };
      })(job),
  };
}

type Compose = (
  booking: NonNullable<Awaited<ReturnType<typeof findBookingFacts>>>,
) => Promise<Omit<Mail, "to" | "key"> | null> | null;

function findMessage(db: Db, messageId: string) {
  return db
    .selectFrom("game_messages")
    .select(["subject", "message"])
    .where("id", "=", messageId)
    .executeTakeFirst();
}

async function findBookingFacts(db: Db, bookingId: string) {
  const row = await db
    .selectFrom("bookings")
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .innerJoin("games", "games.id", "bookings.game_id")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .leftJoin("wallet_transactions as refund", (join) =>
      join.onRef("refund.booking_id", "=", "bookings.id").on("refund.type", "=", "refund"),
    )
    .selectAll("bookings")
    .select(["profiles.email", "profiles.first_name", "games.date", "games.starts_at"])
    .select(["venues.name", "venues.city", "refund.amount_eur as refunded"])
    .where("bookings.id", "=", bookingId)
    .executeTakeFirst();
  if (!row) return null;
  const terms = soldTerms(row);
  return {
    email: row.email,
    isIn: isLive(row.payment_status),
    priceCents: terms.priceCents,
    refundedCents: row.refunded ? centsFromNumeric(row.refunded) : 0,
    summary: {
      gameId: row.game_id,
      firstName: row.first_name,
      when: `${weekdayAndTime(row.starts_at)}, ${monthDay(row.date)}`,
      where: `${row.name}, ${row.city}`,
      terms: `${cancelTerms(terms, row.starts_at, row.created_at)}.`,
    },
  };
}
