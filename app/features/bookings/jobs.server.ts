import { switchableMail } from "#app/features/notifications/settings.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mail, Mailer } from "#app/platform/mail.server.ts";
import { type BookingFacts, findBookingFacts } from "./booking-facts.server.ts";
import { findGameCalendar } from "./calendar.server.ts";
import {
  addedToGameMail,
  bookingCancelledMail,
  bookingConfirmedMail,
  lateRefundMail,
  reminderMails,
  removedFromGameMail,
  waitlistBookedMail,
} from "./emails.tsx";
import { findReminded, type ReminderKind } from "./reminders.server.ts";

interface BookingMails {
  "mail.booking-confirmed": BookingJob;
  "mail.booking-cancelled": BookingJob;
  "mail.added-to-game": BookingJob;
  "mail.waitlist-booked": BookingJob;
  "mail.late-refund": BookingJob;
  "mail.removed-from-game": BookingJob;
  /** `version` is the kick-off: a game that has moved since is reminded of again. */
  "mail.reminder": { bookingId: string; kind: ReminderKind; version: string };
}

declare module "#app/platform/jobs.server.ts" {
  interface JobData extends BookingMails {}
}

export interface MailTools {
  env: Env;
  db: Db;
  mailer: Mailer;
  now: () => Date;
}

/** The booking itself no longer tells whether a free session was given back. */
export interface BookingJob {
  bookingId: string;
  isFreeSessionBack?: boolean;
}

export type ComposeMail = (
  site: Env,
  booking: BookingFacts & { isFreeSessionBack: boolean },
) => Promise<Omit<Mail, "to" | "key"> | null> | null;

export function bookingJobs(tools: MailTools): Pick<JobHandlers, keyof BookingMails> {
  const { send, sendIfIn, withCalendar } = bookingMails(tools);
  return {
    "mail.booking-confirmed": sendIfIn("booking-confirmed", withCalendar(bookingConfirmedMail)),
    "mail.waitlist-booked": sendIfIn("waitlist-booked", withCalendar(waitlistBookedMail)),
    "mail.late-refund": send("late-refund", lateRefundMail),
    "mail.added-to-game": sendIfIn("added-to-game", withCalendar(addedToGameMail)),
    "mail.reminder": (job) => sendReminder(tools, job),
    "mail.booking-cancelled": send("booking-cancelled", bookingCancelledMail),
    "mail.removed-from-game": send("removed-from-game", removedFromGameMail),
  };
}

/** Sends a booking's email once for each `kind`; its content is read when it is sent. */
export function bookingMails({ env, db, mailer, now }: MailTools) {
  const send =
    (kind: string, compose: ComposeMail) =>
    async ({ bookingId, isFreeSessionBack = false }: BookingJob) => {
      const booking = await findBookingFacts(db, bookingId);
      const content = booking && (await compose(env, { ...booking, isFreeSessionBack }));
      if (content) await mailer({ ...content, to: booking.email, key: `${kind}:${bookingId}` });
    };
  // The job may have waited for the mail server until the booking was cancelled.
  const sendIfIn = (kind: string, compose: ComposeMail) =>
    send(kind, (site, booking) => (booking.isIn ? compose(site, booking) : null));
  const withCalendar =
    (compose: ComposeMail): ComposeMail =>
    async (site, booking) => {
      const mail = await compose(site, booking);
      const { gameId, userId: playerId } = booking;
      const content = mail && (await findGameCalendar(db, site, { gameId, playerId, now: now() }));
      return content ? { ...mail, attachments: [{ ...CALENDAR_FILE, content }] } : mail;
    };
  return { send, sendIfIn, withCalendar };
}

// As a file: in the text's place, mail programs take it for an invitation and hide the text.
const CALENDAR_FILE = {
  filename: "game.ics",
  contentType: "text/calendar; charset=utf-8; method=PUBLISH",
};

async function sendReminder(tools: MailTools, job: BookingMails["mail.reminder"]) {
  const { env, db, mailer, now } = tools;
  const { bookingId, kind, version } = job;
  const booking = await findReminded(db, bookingId, version, now());
  if (!booking) return;
  const content = await switchableMail(tools, { ...booking, kind }, (unsubscribe) =>
    reminderMails[kind](env, booking, unsubscribe),
  );
  const key = `${kind}:${version}:${bookingId}`;
  if (content) await mailer({ ...content, to: booking.email, key });
}
