import { switchableMail } from "#app/features/notifications/settings.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mail, Mailer } from "#app/platform/mail.server.ts";
import { type BookingFacts, findBookingFacts } from "./booking-facts.server.ts";
import { findGameCalendar } from "./calendar.server.ts";
import {
  calledOffMail,
  decisionSoonMail,
  playedAnywayMail,
  tooFewPlayersMail,
} from "./decision-emails.tsx";
import { describeChange } from "./edit-game.server.ts";
import { findCalledOff, findDecisionToWarnOf } from "./decide-games.server.ts";
import { listOtherGames } from "./other-games.server.ts";
import {
  addedToGameMail,
  bookingCancelledMail,
  bookingConfirmedMail,
  gameCancelledMail,
  gameChangedMail,
  gameMessageMail,
  reminderMails,
  removedFromGameMail,
} from "./emails.tsx";
import { findReminded, type ReminderKind } from "./reminders.server.ts";
import type { GameFacts } from "./rules.ts";
import { lateRefundMail, waitlistBookedMail } from "./waitlist-emails.tsx";

interface BookingMails {
  "mail.booking-confirmed": { bookingId: string };
  "mail.booking-cancelled": BookingMails["mail.game-cancelled"];
  /** The booking itself no longer tells whether a free session was given back. */
  "mail.game-cancelled": { bookingId: string; isFreeSessionBack?: boolean; messageId?: string };
  /** The game before and after: it may change again before anybody reads it. */
  "mail.game-changed": { bookingId: string; version: number; before: GameFacts; after: GameFacts };
  "mail.added-to-game": { bookingId: string };
  "mail.waitlist-booked": { bookingId: string };
  "mail.late-refund": { bookingId: string };
  "mail.played-anyway": { bookingId: string; version: number };
  "mail.called-off": { gameId: string; players: number };
  /** A decision that has been moved is warned of again. */
  "mail.too-few-players": { gameId: string; decidesAt: string };
  "mail.removed-from-game": BookingMails["mail.game-cancelled"];
  "mail.game-message": { messageId: string; bookingId: string };
  /** `version` is the kick-off: a game that has moved since is reminded of again. */
  "mail.reminder": { bookingId: string; kind: ReminderKind; version: string };
}

declare module "#app/platform/jobs.server.ts" {
  interface JobData extends BookingMails {}
}

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
  now: () => Date;
}

export function bookingJobs(tools: Tools): Pick<JobHandlers, keyof BookingMails> {
  const { env, db, mailer, now } = tools;
  const send =
    (kind: string, compose: ComposeMail) => async (job: BookingMails["mail.game-cancelled"]) => {
      const { bookingId, isFreeSessionBack = false, messageId } = job;
      const booking = await findBookingFacts(db, bookingId);
      const said = messageId ? await findMessage(db, messageId) : null;
      const details = { isFreeSessionBack, message: said?.message ?? null };
      const content = booking && (await compose(env, { ...booking, ...details }));
      if (content) await mailer({ ...content, to: booking.email, key: `${kind}:${bookingId}` });
    };
  const withCalendar =
    (compose: ComposeMail): ComposeMail =>
    async (site, booking) => {
      const mail = await compose(site, booking);
      const { gameId, userId: playerId } = booking;
      const content =
        mail && (await findGameCalendar(db, site, { gameId, playerId, now: tools.now() }));
      return content ? { ...mail, attachments: [{ ...CALENDAR_FILE, content }] } : mail;
    };
  const gameOffMail: ComposeMail = async (site, booking) => {
    const { gameId, userId: playerId, missedMinimum } = booking;
    if (missedMinimum === null) return gameCancelledMail(site, booking);
    const others = await listOtherGames(db, { gameId, playerId, now: now() });
    return tooFewPlayersMail(site, { ...booking, missedMinimum }, others);
  };
  // The job may have waited for the mail server until the booking was cancelled.
  const sendIfIn = (kind: string, compose: ComposeMail) =>
    send(kind, (site, booking) => (booking.isIn ? compose(site, booking) : null));
  return {
    "mail.booking-confirmed": sendIfIn("booking-confirmed", withCalendar(bookingConfirmedMail)),
    "mail.waitlist-booked": sendIfIn("waitlist-booked", withCalendar(waitlistBookedMail)),
    "mail.late-refund": send("late-refund", lateRefundMail),
    "mail.added-to-game": sendIfIn("added-to-game", withCalendar(addedToGameMail)),
    "mail.game-changed": async ({ version, before, after, ...job }) => {
      const changes = await describeChange(db, before, after);
      const compose: ComposeMail = (site, booking) =>
        switchableMail(tools, { ...booking, kind: "game-changed" }, (unsubscribe) =>
          gameChangedMail(site, booking, { changes, unsubscribe }),
        );
      await sendIfIn(`game-changed:${version}`, withCalendar(compose))(job);
    },
    "mail.played-anyway": async ({ version, ...job }) => {
      const compose: ComposeMail = async (site, { userId }) => {
        // As it is now: the time to leave may be over.
        const booking = await findBookingFacts(db, job.bookingId, now());
        if (!booking?.isPlayedAnyway) return null;
        return switchableMail(tools, { userId, kind: "game-changed" }, (unsubscribe) =>
          playedAnywayMail(site, { ...booking, isFreeSessionBack: false }, unsubscribe),
        );
      };
      await sendIfIn(`played-anyway:${version}`, compose)(job);
    },
    "mail.called-off": async ({ gameId, players }) => {
      const game = await findCalledOff(db, gameId, now());
      const content = game && (await calledOffMail(env, { ...game, players }));
      if (content) await mailer({ ...content, to: env.contactEmail, key: `called-off:${gameId}` });
    },
    "mail.reminder": (job) => sendReminder(tools, job),
    "mail.booking-cancelled": send("booking-cancelled", bookingCancelledMail),
    "mail.game-cancelled": send("game-cancelled", withCalendar(gameOffMail)),
    "mail.too-few-players": async (job) => {
      const game = await findDecisionToWarnOf(db, job, now());
      const content = game && (await decisionSoonMail(env, game));
      const key = `too-few-players:${job.gameId}:${job.decidesAt}`;
      if (content) await mailer({ ...content, to: env.contactEmail, key });
    },
    "mail.removed-from-game": send("removed-from-game", removedFromGameMail),
    "mail.game-message": ({ messageId, ...job }) =>
      send(`game-message:${messageId}`, async (site, booking) => {
        const message = await findMessage(db, messageId);
        if (!message || !isReached(booking, message)) return null;
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

async function sendReminder(tools: Tools, job: BookingMails["mail.reminder"]) {
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

type ComposeMail = (
  site: Env,
  booking: BookingFacts & { isFreeSessionBack: boolean; message: string | null },
) => Promise<Omit<Mail, "to" | "key"> | null> | null;

function findMessage(db: Db, messageId: string) {
  return db
    .selectFrom("game_messages")
    .select(["subject", "message", "sent_at as sentAt"])
    .where("id", "=", messageId)
    .executeTakeFirst();
}

/** In the game, or sent to its former players since it was cancelled. */
function isReached(booking: BookingFacts, { sentAt }: { sentAt: Date }): boolean {
  const { isIn, isGameCancelled, cancelledAt } = booking;
  return isIn || (isGameCancelled && cancelledAt !== null && sentAt >= cancelledAt);
}
