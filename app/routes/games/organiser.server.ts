import { linkParts } from "#app/features/chat/links.server.ts";
import { findOrganiserNotes } from "#app/features/bookings/organiser-notes.server.ts";
import type { GameDetails } from "#app/features/games/games.server.ts";
import { clockTime, isOver } from "#app/features/games/rules.ts";
import { formatMoment, monthDay } from "#app/platform/clock.ts";
import type { Env } from "#app/platform/env.server.ts";
import { singleFlight } from "#app/platform/single-flight.server.ts";
import type { App } from "#app/routes/context.server.ts";

/** Only for the game's players and admins; null for everybody else. */
export async function loadOrganiser(
  { db, env, now }: App,
  game: GameDetails,
  { isIn, isAdmin }: { isIn: boolean; isAdmin: boolean },
) {
  if (!isIn && !isAdmin) return null;
  const find = () => findOrganiserNotes(db, game.id);
  const { notes, messages } = await singleFlight(db, `notes ${game.id}`, find);
  return {
    // A former player must not read a code that was changed since.
    notes:
      isAdmin || !isOver(game, now())
        ? notes.map(({ text, isOfVenue }) => ({ parts: linkParts(text), isOfVenue }))
        : [],
    messages: messages.map(({ sentAt, message, ...rest }) => ({
      ...rest,
      parts: linkParts(message),
      sent: formatMoment(sentAt),
    })),
    contact: isIn && isSoon(game, now()) ? contactOf(env, game) : null,
  };
}

const LATE_HOURS = 2;

function isSoon(game: GameDetails, now: Date): boolean {
  return game.startsAt.getTime() - now.getTime() <= LATE_HOURS * 3_600_000 && !isOver(game, now);
}

function contactOf({ contactEmail, contactPhone }: Env, { venue, ...game }: GameDetails) {
  const subject = `${venue.name}, ${monthDay(game.date)}, ${clockTime(game.startTime)}`;
  return {
    mailto: `mailto:${contactEmail}?subject=${encodeURIComponent(subject)}`,
    phone: contactPhone
      ? { text: contactPhone, tel: `tel:${contactPhone.replace(/[^\d+]/g, "")}` }
      : null,
  };
}
