import type { PushContents } from "#app/features/notifications/jobs.server.ts";
import { dateAndTime, wallClock, weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { PushMessage } from "#app/platform/push.server.ts";
import { type BookingFacts, findBookingFacts, PLAYED_ANYWAY } from "./booking-facts.server.ts";
import { findPlaceFacts } from "#app/features/waitlist/entry-facts.server.ts";
import { findReminded } from "./reminders.server.ts";

type Kinds = "day-before" | "soon" | "game-changed" | "spot-offered" | "waitlist-booked";

/** All of one game have one tag: on the screen the newest takes the place of the others. */
export function bookingPushes({ db, now }: { db: Db; now: () => Date }): Pick<PushContents, Kinds> {
  return {
    async "day-before"(bookingId, kickOff) {
      const booking = await findReminded(db, bookingId, kickOff, now());
      if (!booking) return null;
      const title = `${booking.kickOff}, ${booking.venue}`;
      const body = booking.isCancellable ? `Can't make it? ${booking.terms}` : "See you there.";
      return { ...aboutGame(booking), title, body, url: "/bookings" };
    },
    async soon(bookingId, kickOff) {
      const booking = await findReminded(db, bookingId, kickOff, now());
      if (!booking) return null;
      const title = `Kick-off at ${booking.kickOffTime}`;
      return { ...aboutGame(booking), title, body: booking.address, isUrgent: true };
    },
    async "game-changed"(bookingId, version) {
      const booking = await findBookingFacts(db, bookingId, now());
      if (booking?.isGameCancelled) {
        const title = `Game cancelled: ${booking.kickOff}`;
        return {
          ...aboutGame(booking),
          title,
          body: booking.missedMinimum ? `Too few players. ${booking.where}` : booking.where,
          url: "/bookings",
          isUrgent: true,
        };
      }
      if (!booking?.isIn) return null;
      if (version.startsWith(PLAYED_ANYWAY)) {
        if (!booking.isPlayedAnyway) return null;
        const title = `Your game is on: ${booking.kickOff}`;
        const body = `Also with fewer than ${booking.minPlayers} players. ${booking.terms}`;
        return { ...aboutGame(booking), title, body, url: "/bookings", isUrgent: true };
      }
      const title = "Your game has changed";
      const kickOff = dateAndTime(wallClock(booking.startsAt));
      const body = `It is on ${kickOff}, ${booking.where}. ${booking.terms}`;
      return { ...aboutGame(booking), title, body, url: "/bookings", isUrgent: true };
    },
    async "spot-offered"(entryId, expiresAt) {
      const place = await findPlaceFacts(db, entryId);
      // Another offer has another end.
      if (place?.offerExpiresAt?.toISOString() !== expiresAt) return null;
      const { gameId, offerExpiresAt: until } = place;
      const title = `A spot is held for you until ${weekdayAndTime(until)}`;
      const body = `${place.kickOff}, ${place.where}. Take it, or it goes to the next one.`;
      const url = `/events/${gameId}?offer=1#join`;
      return { title, body, url, tag: `game-${gameId}`, until, isUrgent: true };
    },
    async "waitlist-booked"(bookingId) {
      const booking = await findBookingFacts(db, bookingId, now());
      if (!booking?.isIn || !booking.isPublished) return null;
      const title = `You're in: ${booking.kickOff}`;
      const body = `A spot opened at ${booking.where}. ${booking.terms}`;
      return { ...aboutGame(booking), title, body, url: "/bookings", isUrgent: true };
    },
  };
}

function aboutGame({ gameId, startsAt }: BookingFacts) {
  const about = { url: `/events/${gameId}`, tag: `game-${gameId}`, until: startsAt };
  return { ...about, isUrgent: false } satisfies Partial<PushMessage>;
}
