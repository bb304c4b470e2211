import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { waitingText } from "#app/features/bookings/rules.ts";
import {
  countWaiting,
  listOwnPlaces,
  type OwnPlace,
} from "#app/features/bookings/waitlist.server.ts";
import { belongsToWaitlist } from "#app/features/bookings/waitlist-order.server.ts";
import {
  GRACE_HOURS,
  GRACE_MINUTES,
  notAfter,
  ordinal,
  UNTIL_HOURS,
  UNTIL_PRESET,
} from "#app/features/bookings/waitlist-rules.ts";
import type { GameDetails } from "#app/features/games/games.server.ts";
import { clockTime, hasStarted, spotsLeft } from "#app/features/games/rules.ts";
import { dayAndTime, helsinkiDate, wallClock } from "#app/platform/clock.ts";
import { creditsCount, creditsText } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";

/** Who waits for a game, and the viewer's own place; null once nobody can. */
export async function findWaitlist({ db, now }: App, game: GameDetails, viewer: Viewer | null) {
  const instant = now();
  if (game.status !== "Published" || hasStarted(game, instant)) return null;
  const isFull = spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount) === 0;
  // Most visits are visitors' to games with spots.
  if (!viewer && !isFull) return null;
  const playerId = viewer?.userId ?? "";
  const [waiting, [place = null]] = await Promise.all([
    countWaiting(db, game.id),
    viewer ? listOwnPlaces(db, { playerId, now: instant, gameId: game.id }) : [],
  ]);
  const isTaken = isFull || (waiting > 0 && (await belongsToWaitlist(db, game, playerId, instant)));
  return { waiting, place, isTaken };
}

type Waitlist = NonNullable<Awaited<ReturnType<typeof findWaitlist>>>;

interface Facts {
  game: GameDetails;
  viewer: Viewer | null;
  priceCents: number;
  now: Date;
}

export function toWaitlistView({ waiting, place, isTaken }: Waitlist, facts: Facts) {
  return {
    waiting: waitingText(waiting),
    /** Nobody but those who wait can have a spot now. */
    isTaken,
    place: place && toPlaceView(place, facts.now),
    terms: facts.viewer && toTermsView(waiting, facts),
  };
}

export type WaitlistView = ReturnType<typeof toWaitlistView>;
export type PlaceView = ReturnType<typeof toPlaceView>;

/** Where a player stands, on the page of the game and on My Games. */
export function toPlaceView(place: OwnPlace, now: Date) {
  const { mode, position, waiting, agreedCents, offerExpiresAt, needsConsent } = place;
  const until = dayAndTime(place.notAfter, now);
  return {
    position: `You are ${ordinal(position)} of ${waiting}`,
    what:
      mode === "ask"
        ? `Until ${until} we ask you by email when a spot opens.`
        : `Until ${until} a spot that opens is yours, and ${takenText(agreedCents)}.`,
    offeredUntil: offerExpiresAt && timeText(offerExpiresAt, now),
    needsConsent,
  };
}

/** "17:42", of another day "Sun 17:42". */
function timeText(instant: Date, now: Date): string {
  const { date, time } = wallClock(instant);
  return date === helsinkiDate(now) ? clockTime(time) : dayAndTime(instant, now);
}

const takenText = (priceCents: number) =>
  priceCents === 0 ? "it is free" : `${creditsCount(priceCents)} are taken`;

export type TermsView = ReturnType<typeof toTermsView>;

/** What joining the list means for this player. */
function toTermsView(waiting: number, { game, viewer, priceCents, now }: Facts) {
  const open = UNTIL_HOURS.filter((hours) => notAfter(game.startsAt, hours) > now);
  const missing = priceCents - (viewer?.balanceCents ?? 0);
  return {
    taken: `When a spot opens it is yours, and ${takenText(priceCents)}.`,
    position: `${waitingText(waiting)} You would be ${ordinal(waiting + 1)}.`,
    missing:
      missing > 0
        ? `You need ${creditsText(missing)} more credits by then: else the spot goes to the next one, and you keep your place.`
        : null,
    grace:
      `Booked less than ${GRACE_HOURS} hours before kick-off? ` +
      `You may give the spot back in full for ${GRACE_MINUTES} minutes.`,
    preset: open.findLast((hours) => hours <= UNTIL_PRESET) ?? 0,
    choices: open.map((hours) => ({ hours, label: untilText(game.startsAt, hours, now) })),
  };
}

function untilText(startsAt: Date, hours: number, now: Date): string {
  const at = dayAndTime(notAfter(startsAt, hours), now);
  if (hours === 0) return `up to kick-off, ${at}`;
  return `${hours} ${hours === 1 ? "hour" : "hours"} before, ${at}`;
}
