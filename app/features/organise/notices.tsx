import { findBookingFacts } from "#app/features/bookings/booking-facts.server.ts";
import {
  aboutGame,
  type BookingJob,
  calendarFile,
  givenBack,
} from "#app/features/bookings/notices.tsx";
import { describeChange, type MailedPlan } from "#app/features/games/describe-change.server.ts";
import { ChangeLines, findAnother, gameMail, openGame } from "#app/features/games/game-mail.tsx";
import { dateAndTime, wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { defineNotice } from "#app/platform/notices.ts";
import { calledOff, playedAnyway, tooFewPlayers, tooFewPlayersMail } from "./decision-notices.tsx";
import { listOtherGames } from "./other-games.server.ts";

interface ChangeJob {
  bookingId: string;
  version: number;
  /** Before and after, for the lines of the email; the rest of it says how it is when sent. */
  before?: MailedPlan;
  after?: MailedPlan;
}

const gameChanged = defineNotice({
  kind: "game-changed",
  label: "Game changed",
  switchable: {
    label: "Game changed",
    hint: "Another time, place or number of players",
  },
  async facts({ bookingId, before, after }: ChangeJob, { db, now, via }) {
    const booking = await findBookingFacts(db, bookingId, via === "push" ? now : undefined);
    return (
      booking && {
        ...booking,
        changes: before && after ? await describeChange(db, before, after) : [],
      }
    );
  },
  stillTrue: ({ isIn }) => isIn,
  key: ({ bookingId, version }) => `game-changed:${version}:${bookingId}`,
  email: (booking, site) =>
    gameMail(site, booking, {
      subject: `Game changed: ${booking.when}`,
      title: "Your game has changed",
      action: { label: "Keep it or cancel", href: `${site.appUrl}/bookings` },
      text: (
        <>
          <ChangeLines changes={booking.changes} />
          You are still in. If it no longer suits you, cancel it under My Games. {booking.terms}
        </>
      ),
    }),
  attachments: (booking, tools) => calendarFile(booking, tools),
  push: {
    data: (bookingId, version) => ({ bookingId, version: Number(version) }),
    message: (booking) => ({
      ...aboutGame(booking),
      title: "Your game has changed",
      body: `It is on ${dateAndTime(wallClock(booking.startsAt))}, ${booking.where}. ${booking.terms}`,
      url: "/bookings",
      isUrgent: true,
    }),
  },
});

const gameCancelled = defineNotice({
  kind: "game-cancelled",
  label: "Game cancelled",
  switchable: "game-changed",
  isAlwaysMailed: true,
  async facts(job: BookingJob & { messageId?: string }, { db, now }) {
    const { bookingId, isFreeSessionBack = false, messageId } = job;
    const booking = await findBookingFacts(db, bookingId);
    if (!booking) return null;
    const { gameId, userId: playerId, missedMinimum } = booking;
    const message = messageId ? ((await findMessage(db, messageId))?.message ?? null) : null;
    const others =
      missedMinimum === null ? [] : await listOtherGames(db, { gameId, playerId, now });
    return { ...booking, isFreeSessionBack, message, others };
  },
  key: ({ bookingId }) => `game-cancelled:${bookingId}`,
  email(booking, site) {
    const { missedMinimum, message } = booking;
    const back = givenBack(booking) ?? "No credits were taken for it.";
    if (missedMinimum !== null) {
      return tooFewPlayersMail(site, { ...booking, missedMinimum, back });
    }
    return gameMail(site, booking, {
      subject: `Game cancelled: ${booking.when}`,
      title: "The game was cancelled",
      action: findAnother(site),
      text: `The organiser had to call it off${message ? `:\n${message}\n` : ". "}${back}`,
    });
  },
  attachments: (booking, tools) => calendarFile(booking, tools),
  push: {
    data: (bookingId) => ({ bookingId }),
    message: (booking) =>
      booking.isGameCancelled
        ? {
            ...aboutGame(booking),
            title: `Game cancelled: ${booking.kickOff}`,
            body: booking.missedMinimum ? `Too few players. ${booking.where}` : booking.where,
            url: "/bookings",
            isUrgent: true,
          }
        : null,
  },
});

const gameMessage = defineNotice({
  kind: "game-message",
  label: "Message to a game's players",
  async facts({ messageId, bookingId }: { messageId: string; bookingId: string }, { db }) {
    const [booking, message] = await Promise.all([
      findBookingFacts(db, bookingId),
      findMessage(db, messageId),
    ]);
    return booking && message && { ...booking, ...message };
  },
  // In the game, or sent to its former players since it was cancelled.
  stillTrue: ({ isIn, isGameCancelled, cancelledAt, sentAt }) =>
    isIn || (isGameCancelled && cancelledAt !== null && sentAt >= cancelledAt),
  key: ({ messageId, bookingId }) => `game-message:${messageId}:${bookingId}`,
  email: ({ subject, message, ...booking }, site) =>
    gameMail(site, booking, {
      ...{ subject, title: subject, replyTo: site.contactEmail },
      action: openGame(site, booking),
      text: message,
    }),
});

function findMessage(db: Db, messageId: string) {
  return db
    .selectFrom("game_messages")
    .select(["subject", "message", "sent_at as sentAt"])
    .where("id", "=", messageId)
    .executeTakeFirst();
}

export const organiseNotices = [
  gameChanged,
  gameCancelled,
  gameMessage,
  playedAnyway,
  calledOff,
  tooFewPlayers,
] as const;
