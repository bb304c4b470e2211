import { emailLink } from "#app/features/accounts/email-link.ts";
import {
  type BookingFacts,
  findBookingFacts,
} from "#app/features/bookings/booking-facts.server.ts";
import { cashToGiveText } from "#app/features/bookings/cash-texts.ts";
import { aboutGame } from "#app/features/bookings/notices.tsx";
import { findAnother, gameMail, type Site, WhenAndWhere } from "#app/features/games/game-mail.tsx";
import { playersText } from "#app/features/games/rules.ts";
import { defineNotice } from "#app/platform/notices.ts";
import { MailLink } from "#app/ui/mail-parts.tsx";
import { findCalledOff, findDecisionToWarnOf } from "./decide-games.server.ts";
import type { OtherGame } from "./other-games.server.ts";

type Missed = BookingFacts & { missedMinimum: number; back: string; others: OtherGame[] };

export function tooFewPlayersMail(site: Site, booking: Missed) {
  const { missedMinimum, back } = booking;
  const [nearest, ...others] = booking.others;
  return gameMail(site, booking, {
    subject: `Game cancelled: ${booking.when}`,
    title: "The game was called off: too few players",
    action: nearest
      ? { label: "Join another game", href: `${site.appUrl}/events/${nearest.id}#join` }
      : findAnother(site),
    text: (
      <>
        It takes {playersText(missedMinimum)}, and fewer were in when it was decided. {back}
        {nearest && (
          <>
            <br />
            <br />
            You could play here instead: <strong>{nearest.name}</strong>
          </>
        )}
      </>
    ),
    below: others.length > 0 && <OtherGames site={site} games={others} />,
  });
}

function OtherGames({ site, games }: { site: Site; games: OtherGame[] }) {
  return games.map((game, index) => (
    <span key={game.id}>
      {index === 0 ? "Or: " : "or: "}
      <MailLink href={emailLink(site, `/events/${game.id}#join`)}>{game.name}</MailLink>
      <br />
    </span>
  ));
}

/** To those who are in: they joined a game that would have been called off with so few. */
export const playedAnyway = defineNotice({
  kind: "played-anyway",
  label: "Played anyway",
  switchable: "game-changed",
  // Reads what is so now: the time to leave may be over.
  facts: ({ bookingId }: { bookingId: string; version: number }, { db, now }) =>
    findBookingFacts(db, bookingId, now),
  stillTrue: ({ isIn, isPlayedAnyway }) => isIn && isPlayedAnyway,
  key: ({ bookingId, version }) => `played-anyway:${version}:${bookingId}`,
  email: (booking, site) =>
    gameMail(site, booking, {
      subject: `Your game is on: ${booking.when}`,
      title: `Your game is on, also with fewer than ${booking.minPlayers} players`,
      action: { label: "Keep it or cancel", href: `${site.appUrl}/bookings` },
      text: `You are still in. If that does not suit you, cancel it under My Games. ${booking.terms}`,
    }),
  push: {
    data: (bookingId, version) => ({ bookingId, version: Number(version) }),
    message: (booking) => ({
      ...aboutGame(booking),
      title: `Your game is on: ${booking.kickOff}`,
      body: `Also with fewer than ${booking.minPlayers} players. ${booking.terms}`,
      url: "/bookings",
      isUrgent: true,
    }),
  },
});

const openAsOrganiser = (site: Site, gameId: string) => ({
  label: "Open the game",
  href: `${site.appUrl}/admin/games/${gameId}`,
});

export const calledOff = defineNotice({
  kind: "called-off",
  label: "Called off by itself, to the contact address",
  async facts({ gameId, players }: { gameId: string; players: number }, { env, db, now }) {
    const game = await findCalledOff(db, gameId, now);
    return game && { ...game, players, email: env.contactEmail };
  },
  key: ({ gameId }) => `called-off:${gameId}`,
  email: ({ gameId, when, where, minPlayers, players, cashDueCents }, site) => ({
    subject: `Called off: ${when}`,
    title: "Called off: too few players",
    preview: `${when}, ${where}`,
    action: openAsOrganiser(site, gameId),
    footer: "Sent once, when a game is called off by itself.",
    text: [
      <WhenAndWhere key="" {...{ when, where }} />,
      `It takes ${playersText(minPlayers)}, and ${players} ${players === 1 ? "was" : "were"} in ` +
        `when it was decided. ${players > 0 ? "Everybody got the full price back, and an email." : ""}` +
        (cashDueCents > 0 ? ` ${cashToGiveText(cashDueCents)}` : ""),
    ],
  }),
});

/** A decision that has been moved is warned of again. */
export const tooFewPlayers = defineNotice({
  kind: "too-few-players",
  label: "Too few players, to the contact address",
  async facts(job: { gameId: string; decidesAt: string }, { env, db, now }) {
    const game = await findDecisionToWarnOf(db, job, now);
    return game && { ...game, email: env.contactEmail };
  },
  key: ({ gameId, decidesAt }) => `too-few-players:${gameId}:${decidesAt}`,
  email: ({ gameId, when, where, minPlayers, players, decided }, site) => ({
    subject: `Too few players: ${when}`,
    title: `${players} of ${playersText(minPlayers)}`,
    preview: `${when}, ${where}`,
    action: openAsOrganiser(site, gameId),
    footer: "Sent once, two hours before a game is decided.",
    text: [
      <WhenAndWhere key="" {...{ when, where }} />,
      `At ${decided} it is called off by itself, unless ${minPlayers} ` +
        `${minPlayers === 1 ? "is" : "are"} in by then. Everybody then gets the full price back. ` +
        "To play with fewer, open the game and choose Play anyway.",
    ],
  }),
});
