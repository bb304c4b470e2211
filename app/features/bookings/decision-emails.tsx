import { Link } from "react-email";
import { renderMail } from "#app/platform/mail.server.ts";
import { MailShell, MailText } from "#app/ui/mail-shell.tsx";
import { type BookingSummary, givenBack, LINK } from "./emails.tsx";
import { findAnother, gameMail, type Site } from "./game-mail.tsx";

export interface OtherGame {
  id: string;
  /** "Thu 19:00, Nov 26, Campus Hall, Espoo". */
  name: string;
}

/** Called off by itself, with games to play instead, the nearest first. */
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
      ? { label: "Join another game", href: joinPath(site, nearest) }
      : findAnother(site),
    text: (
      <>
        It takes {booking.missedMinimum} players, and fewer were in when it was decided. {back}
        {nearest && (
          <>
            <br />
            <br />
            This game is near, and has spots: <strong>{nearest.name}</strong>
          </>
        )}
      </>
    ),
    below: others.length > 0 && <OtherGames site={site} games={others} />,
  });
}

const joinPath = (site: Site, { id }: OtherGame) => `${site.appUrl}/events/${id}#join`;

function OtherGames({ site, games }: { site: Site; games: OtherGame[] }) {
  return games.map((game, index) => (
    <span key={game.id}>
      {index === 0 ? "Or: " : "or: "}
      <Link href={joinPath(site, game)} style={LINK}>
        {game.name}
      </Link>
      <br />
    </span>
  ));
}

/** To the organisers, while there is time to do something about it. */
export function decisionSoonMail(site: Site, game: DecisionSummary) {
  const { minPlayers, players, decided } = game;
  return renderMail(
    `Too few players: ${game.when}`,
    <MailShell
      brand={site.brandName}
      preview={`${game.when}, ${game.where}`}
      title={`${players} of ${minPlayers} players`}
      action={{ label: "Open the game", href: `${site.appUrl}/admin/games/${game.gameId}` }}
      footer="Sent once, two hours before a game is decided."
    >
      <MailText>
        <strong>{game.when}</strong>
        <br />
        {game.where}
      </MailText>
      <MailText>
        At {decided} it is called off by itself, unless {minPlayers} players are in by then.
        Everybody then gets the full price back. To play with fewer, open the game and choose Play
        anyway.
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
  /** "Thu 16:00". */
  decided: string;
}
