import { Link } from "react-router";
import { spotsText } from "#app/features/games/rules.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Progress } from "#app/ui/progress.tsx";
import { useBackTarget } from "#app/ui/back-link.tsx";
import type { GamePage } from "./game-page.server.ts";
import { Section } from "./game-sections.tsx";

/** How full it is and who plays; a visitor sees how many, not who. */
export function GamePlayers({ game }: { game: GamePage }) {
  return (
    <Section title="Players">
      <Progress
        label={`${game.joinedCount} confirmed`}
        text={game.isOver ? `of ${game.maxPlayers} spots` : spotsText(game.spots)}
        value={game.joinedCount}
        max={game.maxPlayers}
      />
      {game.joinedCount === 0 ? <NobodyYet game={game} /> : <Grid game={game} />}
    </Section>
  );
}

function NobodyYet({ game }: { game: GamePage }) {
  return (
    <p className="text-muted">
      {game.isOver ? "Nobody joined this game." : "This game has no players yet."}{" "}
      {!game.hasStarted && !game.isDraft && (
        <a
          href="#join"
          className="inline-flex min-h-11 items-center font-semibold text-ink underline"
        >
          Join game
        </a>
      )}
    </p>
  );
}

function Grid({ game }: { game: GamePage }) {
  const fromHere = useBackTarget();
  if (game.players.length === 0) {
    return (
      <p className="flex flex-wrap gap-2">
        <span className="sr-only">{`${game.joinedCount} players. Sign in to see who plays.`}</span>
        {Array.from({ length: game.joinedCount }, (_, index) => (
          <Avatar key={index} />
        ))}
      </p>
    );
  }
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-3">
      {game.players.map((player) => (
        <li key={player.userId}>
          <Link
            to={`/profile/${player.userId}`}
            state={fromHere}
            className="grid justify-items-center gap-1 rounded-card p-2 text-center text-sm hover:bg-sunken"
          >
            <Avatar src={player.pictureUrl} name={player.name} />
            <span className="line-clamp-2 max-w-full wrap-anywhere">{player.name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
