import { Link } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { type DeskGameWords, STATUS_TONES } from "./desk-words.ts";

/** The games as cards on a phone and as a table on a laptop; the whole row leads to the game. */
export function GameRows({ games }: { games: DeskGameWords[] }) {
  return (
    <ul className="grid gap-3 md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
      {games.map((game) => (
        <li key={game.id} className="md:border-t md:border-line md:first:border-t-0">
          <GameRow game={game} />
        </li>
      ))}
    </ul>
  );
}

function GameRow({ game }: { game: DeskGameWords }) {
  return (
    <Link to={`/admin/games/${game.id}`} className={rowClass}>
      <span className="grid tabular-nums max-md:flex max-md:flex-wrap max-md:gap-x-2">
        <span className="font-bold">{game.day}</span> <span>{game.time}</span>
      </span>
      <span className="grid min-w-0 max-md:col-span-2 max-md:row-start-2">
        <span className="wrap-anywhere font-semibold">{game.title}</span>{" "}
        <span className="wrap-anywhere text-muted">{game.place}</span>
      </span>
      <span className="text-right tabular-nums max-md:row-start-3 max-md:text-left">
        <strong>{game.seats}</strong> <span className="text-sm text-muted">seats taken</span>
      </span>
      <span className="justify-self-end max-md:row-start-3">
        <Badge tone={STATUS_TONES[game.status]}>{game.status}</Badge>
      </span>
    </Link>
  );
}

const rowClass =
  "grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2 rounded-card bg-surface p-4 shadow-card " +
  "hover:bg-sunken md:grid-cols-[12rem_1fr_9rem_7rem] md:rounded-none md:bg-transparent " +
  "md:shadow-none md:hover:bg-sunken focus-visible:-outline-offset-3";
