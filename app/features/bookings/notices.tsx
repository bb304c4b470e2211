import { findAnother, gameMail, openGame, type Site } from "#app/features/games/game-mail.tsx";
import { withFewerText } from "#app/features/games/minimum-rules.ts";
import { playersText } from "#app/features/games/rules.ts";
import { lateRefundText } from "#app/features/seats/rules.ts";
import { creditsCount, creditsText } from "#app/platform/money.ts";
import { defineNotice, type Notice, type NoticeTools } from "#app/platform/notices.ts";
import { isEmailWaiting } from "#app/platform/waiting-mails.server.ts";
import { MailLink } from "#app/ui/mail-parts.tsx";
import { creditsStay } from "./credits-stay.tsx";
import { type BookingFacts, findBookingFacts } from "./booking-facts.server.ts";
import { findGameCalendar } from "./calendar.server.ts";
import { findReminded, type ReminderJob } from "./reminders.server.ts";

/** Whether a free session was given back: the booking itself no longer has it. */
export interface BookingJob {
  bookingId: string;
  isFreeSessionBack?: boolean;
}

type Booking = BookingFacts & { isFreeSessionBack: boolean };

/** A notice of a booking to its player, whose email is sent once. */
export const defineBookingNotice = <Kind extends string>(
  notice: Omit<Notice<Kind, BookingJob, Booking>, "facts" | "key">,
) =>
  defineNotice<Kind, BookingJob, Booking>({
    ...notice,
    // An email says the terms as they were sold, a push message as they are.
    async facts({ bookingId, isFreeSessionBack = false }, { db, now, via }) {
      const booking = await findBookingFacts(db, bookingId, via === "push" ? now : undefined);
      return booking && { ...booking, isFreeSessionBack };
    },
    key: ({ bookingId }) => `${notice.kind}:${bookingId}`,
  });

/** What waited for the mail server may be about a booking that has been cancelled. */
const isStillIn = ({ isIn }: BookingFacts) => isIn;

// A file: in the text's place, mail programs take it for an invitation and hide the text.
const CALENDAR_FILE = {
  filename: "game.ics",
  contentType: "text/calendar; charset=utf-8; method=PUBLISH",
};

export async function calendarFile(
  { gameId, userId: playerId }: BookingFacts,
  { env, db, now }: NoticeTools,
) {
  const content = await findGameCalendar(db, env, { gameId, playerId, now });
  return content ? [{ ...CALENDAR_FILE, content }] : undefined;
}

/** All of one game have one tag: on the screen the newest takes the place of the others. */
export function aboutGame({ gameId, startsAt }: BookingFacts) {
  const about = { url: `/events/${gameId}`, tag: `game-${gameId}`, until: startsAt };
  return { ...about, isUrgent: false };
}

const bookingConfirmed = defineBookingNotice({
  kind: "booking-confirmed",
  label: "Booking confirmed",
  stillTrue: isStillIn,
  email: (booking, site) =>
    gameMail(site, booking, {
      subject: `You're in: ${booking.when}`,
      title: "You're in",
      action: openGame(site, booking),
      text: `${booking.priceCents > 0 ? `${creditsText(booking.priceCents)} credits` : FREE}. ${whatNow(booking)}`,
    }),
  attachments: calendarFile,
});

const FREE = "This one's free";

const whatNow = (booking: BookingFacts) =>
  `${minimumTerms(booking)}The attached file adds the game to your calendar. ` +
  `If you can't make it, cancel under My Games. ${booking.terms}`;

function minimumTerms({ undecidedMinimum, priceCents }: BookingFacts): string {
  if (!undecidedMinimum) return "";
  return `It takes ${playersText(undecidedMinimum)}. ${withFewerText(priceCents)} `;
}

export const waitlistBooked = defineBookingNotice({
  kind: "waitlist-booked",
  label: "Booked from the waitlist",
  switchable: {
    label: "Booked from the waitlist",
    hint: "A spot opened, and it is yours",
  },
  isAlwaysMailed: true,
  stillTrue: isStillIn,
  email: (booking, site) =>
    gameMail(site, booking, {
      subject: `You're in: ${booking.when}`,
      title: "A spot opened, and it is yours",
      action: openGame(site, booking),
      text: `You were on the waitlist. ${booking.priceCents > 0 ? `${creditsCount(booking.priceCents)} were taken` : FREE}. ${whatNow(booking)}`,
    }),
  attachments: calendarFile,
  push: {
    data: (bookingId) => ({ bookingId }),
    message: (booking) =>
      booking.isPublished
        ? {
            ...aboutGame(booking),
            title: `You're in: ${booking.kickOff}`,
            body: `A spot opened at ${booking.where}. ${booking.terms}`,
            url: "/bookings",
            isUrgent: true,
          }
        : null,
  },
});

const addedToGame = defineBookingNotice({
  kind: "added-to-game",
  label: "Added to a game",
  stillTrue: isStillIn,
  email: (booking, site) =>
    gameMail(site, booking, {
      subject: `You're on the list: ${booking.when}`,
      title: "You're on the list",
      action: openGame(site, booking),
      text: `The organiser has put you on the list. ${takenFor(booking)} ${howToLeave(site, booking)}`,
    }),
  attachments: calendarFile,
});

function takenFor({ isUncharged, isPaid, priceCents }: BookingFacts): string {
  if (isUncharged && isPaid) return "No credits were taken: you have paid the organiser.";
  if (isUncharged) return "No credits were taken: settle it with the organiser.";
  if (priceCents === 0) return "It is your free session.";
  return `${creditsCount(priceCents)} were taken from your wallet.`;
}

const howToLeave = (site: Site, { isUncharged, isCancellable, terms }: BookingFacts) =>
  isUncharged || !isCancellable
    ? `If you can't make it, write to ${site.contactEmail}.`
    : `If you can't make it, cancel under My Games. ${terms}`;

const bookingCancelled = defineBookingNotice({
  kind: "booking-cancelled",
  label: "Booking cancelled",
  email: (booking, site) =>
    gameMail(site, booking, {
      subject: `Booking cancelled: ${booking.when}`,
      title: "Booking cancelled",
      action: findAnother(site),
      text: afterCancelling(booking),
    }),
});

function afterCancelling(booking: Booking): string {
  const { isRefundedLate, lateRefundCents } = booking;
  const back = givenBack(booking);
  if (back) return isRefundedLate ? `${lateReason(booking)}. ${back}` : back;
  if (lateRefundCents > 0) return lateRefundText(lateRefundCents);
  return "No credits were refunded for this cancellation.";
}

const lateReason = ({ isPublished }: BookingFacts) =>
  `You cancelled late, and ${isPublished ? "somebody took your spot" : "the game was called off"}`;

const removedFromGame = defineBookingNotice({
  kind: "removed-from-game",
  label: "Removed from a game",
  email: (booking, site) =>
    gameMail(site, booking, {
      subject: `You're no longer in: ${booking.when}`,
      title: "You were taken off the list",
      action: findAnother(site),
      text: `The organiser has taken you off the list. ${givenBack(booking) ?? "No credits were refunded."}`,
    }),
});

export function givenBack({ refundedCents, isFreeSessionBack, cashBack }: Booking): string | null {
  const back = [
    refundedCents > 0 && `${creditsText(refundedCents)} credits are back in your wallet.`,
    refundedCents === 0 && isFreeSessionBack && "Your free session is back for another game.",
    cashBack,
  ];
  return back.filter(Boolean).join(" ") || null;
}

const refundedLate = defineBookingNotice({
  kind: "late-refund",
  label: "Refund of a late cancellation",
  email(booking, site) {
    const { refundedCents, cashBack, when } = booking;
    if (refundedCents === 0 && !cashBack) return null;
    const back = `${creditsText(refundedCents)} credits are back`;
    return gameMail(site, booking, {
      ...(refundedCents > 0
        ? { subject: `${back}: ${when}`, title: back, text: `${lateReason(booking)}.` }
        : {
            subject: `Game cancelled: ${when}`,
            title: "The game was cancelled",
            text: `${lateReason(booking)}. ${cashBack}`,
          }),
      action: findAnother(site),
    });
  },
});

/** Not beside the email about the cancellation itself, which says it where it was not sent before. */
const lateRefund: typeof refundedLate = {
  ...refundedLate,
  async facts({ bookingId }, tools) {
    if (await isEmailWaiting(tools.db, { kind: "booking-cancelled", bookingId })) return null;
    return refundedLate.facts({ bookingId }, tools);
  },
};

const reminder = <Kind extends string>(
  notice: Omit<Notice<Kind, ReminderJob, BookingFacts>, "facts" | "label">,
) =>
  defineNotice<Kind, ReminderJob, BookingFacts>({
    ...notice,
    label: "Reminder of a game",
    facts: (job, { db, now }) => findReminded(db, job, now),
    key: ({ bookingId, version }) => `${notice.kind}:${version}:${bookingId}`,
  });

const dayBefore = reminder({
  kind: "day-before",
  switchable: {
    label: "Reminder the day before",
    hint: "While you can still cancel and get credits back",
  },
  email: (booking, site) =>
    gameMail(site, booking, {
      subject: `Reminder: ${booking.when}`,
      title: "Your next game",
      action: openGame(site, booking),
      text: booking.isCancellable
        ? `If you can't make it, cancel under My Games, so that somebody else can play. ${booking.terms}`
        : `If you can't make it, write to ${site.contactEmail}, so that somebody else can play.`,
    }),
  push: {
    data: (bookingId, version) => ({ bookingId, version }),
    message: (booking) => ({
      ...aboutGame(booking),
      title: `${booking.kickOff}, ${booking.venue}`,
      body: booking.isCancellable ? `Can't make it? ${booking.terms}` : "See you there.",
      url: "/bookings",
    }),
  },
});

const soon = reminder({
  kind: "soon",
  switchable: {
    label: "Reminder 3 hours before",
    hint: "Where it is and how to get there",
  },
  email: (booking, site) =>
    gameMail(
      site,
      { ...booking, where: booking.address },
      {
        subject: `See you at ${booking.when}`,
        title: "See you soon",
        action: openGame(site, booking),
        text: "Have a good game!",
        below: booking.mapsUrl && <MailLink href={booking.mapsUrl}>How to get there</MailLink>,
      },
    ),
  push: {
    data: (bookingId, version) => ({ bookingId, version }),
    message: (booking) => ({
      ...aboutGame(booking),
      title: `Kick-off at ${booking.kickOffTime}`,
      body: booking.address,
      isUrgent: true,
    }),
  },
});

export const bookingNotices = [
  bookingConfirmed,
  bookingCancelled,
  dayBefore,
  soon,
  addedToGame,
  removedFromGame,
  lateRefund,
  creditsStay,
] as const;
