import { Link } from "react-email";
import { emailLink } from "#app/features/accounts/email-link.ts";
import type { Unsubscribe } from "#app/features/notifications/settings.server.ts";
import { playersText } from "#app/features/games/rules.ts";
import { renderMail } from "#app/platform/mail.server.ts";
import { MailShell, MailText } from "#app/ui/mail-shell.tsx";
import { cashToGiveText } from "#app/features/bookings/cash-texts.ts";
import { givenBack } from "#app/features/bookings/emails.tsx";
import {
  findAnother,
  gameMail,
  type Site,
  type BookingSummary,
  LINK,
} from "#app/features/games/game-mail.tsx";

export interface OtherGame {
  id: string;
  name: string;
}

export function tooFewPlayersMail(
  site: Site,
  booking: BookingSummary & { missedMinimum: number },
  [nearest, ...others]: OtherGame[],
) {
  const back = givenBack(booking) ?? "No credits were taken for it.";
  return gameMail(site, booking, {
    subject: `Game cancelled: ${booking.when}`,
    title: "The game was called off: too few players",
    action: nearest
      ? { label: "Join another game", href: `${site.appUrl}/events/${nearest.id}#join` }
      : findAnother(site),
    text: (
      <>
        It takes {playersText(booking.missedMinimum)}, and fewer were in when it was decided. {back}
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
      <Link href={emailLink(site, `/events/${game.id}#join`)} style={LINK}>
        {game.name}
      </Link>
      <br />
    </span>
  ));
}

/** To those who are in: they joined a game that would have been called off with so few. */
export function playedAnywayMail(
  site: Site,
  booking: BookingSummary & { minPlayers: number | null },
  unsubscribe: Unsubscribe,
) {
  const { minPlayers, terms } = booking;
  return gameMail(site, booking, {
    unsubscribe,
    subject: `Your game is on: ${booking.when}`,
    title: `Your game is on, also with fewer than ${minPlayers} players`,
    action: { label: "Keep it or cancel", href: `${site.appUrl}/bookings` },
    text: `You are still in. If that does not suit you, cancel it under My Games. ${terms}`,
  });
}

interface CalledOff extends Pick<DecisionSummary, "gameId" | "when" | "where"> {
  minPlayers: number;
  players: number;
  cashDueCents: number;
}

export function calledOffMail(site: Site, game: CalledOff) {
  const { when, where, minPlayers, players, cashDueCents } = game;
  return renderMail(
    `Called off: ${when}`,
    <MailShell
      brand={site.brandName}
      preview={`${when}, ${where}`}
      title="Called off: too few players"
      action={{ label: "Open the game", href: `${site.appUrl}/admin/games/${game.gameId}` }}
      footer="Sent once, when a game is called off by itself."
    >
      <MailText>
        <strong>{when}</strong>
        <br />
        {where}
      </MailText>
      <MailText>
        It takes {playersText(minPlayers)}, and {players} {players === 1 ? "was" : "were"} in when
        it was decided. {players > 0 && "Everybody got the full price back, and an email."}
        {cashDueCents > 0 && ` ${cashToGiveText(cashDueCents)}`}
      </MailText>
    </MailShell>,
  );
}

export function decisionSoonMail(site: Site, game: DecisionSummary) {
  const { minPlayers, players, decided } = game;
  return renderMail(
    `Too few players: ${game.when}`,
    <MailShell
      brand={site.brandName}
      preview={`${game.when}, ${game.where}`}
      title={`${players} of ${playersText(minPlayers)}`}
      action={{ label: "Open the game", href: `${site.appUrl}/admin/games/${game.gameId}` }}
      footer="Sent once, two hours before a game is decided."
    >
      <MailText>
        <strong>{game.when}</strong>
        <br />
        {game.where}
      </MailText>
      <MailText>
        At {decided} it is called off by itself, unless {minPlayers}{" "}
        {minPlayers === 1 ? "is" : "are"} in by then. Everybody then gets the full price back. To
        play with fewer, open the game and choose Play anyway.
      </MailText>
    </MailShell>,
  );
}

interface DecisionSummary {
  gameId: string;
  when: string;
  where: string;
  minPlayers: number;
  players: number;
  decided: string;
}
