import type { PushContents } from "#app/features/notifications/jobs.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { PushMessage } from "#app/platform/push.server.ts";
import { type BookingFacts, findBookingFacts } from "./booking-facts.server.ts";
import { findReminded } from "./reminders.server.ts";

type Kinds = "day-before" | "soon" | "game-changed";

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
    async "game-changed"(bookingId) {
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
      const title = "Your game has changed";
      const body = `It is at ${booking.kickOff}, ${booking.where}. ${booking.terms}`;
      return { ...aboutGame(booking), title, body, url: "/bookings", isUrgent: true };
    },
  };
}

function aboutGame({ gameId, startsAt }: BookingFacts) {
  const about = { url: `/events/${gameId}`, tag: `game-${gameId}`, until: startsAt };
  return { ...about, isUrgent: false } satisfies Partial<PushMessage>;
}
