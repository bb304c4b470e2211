import { Link } from "react-router";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { EmailText } from "#app/ui/email-text.tsx";
import type { FoundWords } from "./player-words.ts";

/** The players as cards on a phone and as a table on a laptop; the whole row leads to the player. */
export function PlayerRows({ players }: { players: FoundWords[] }) {
  return (
    <ul className="grid gap-3 md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
      {players.map((player) => (
        <li key={player.id} className="md:border-t md:border-line md:first:border-t-0">
          <Link to={`/admin/players/${player.id}`} className={rowClass}>
            <Avatar src={player.profilePictureUrl} name={player.name} />
            <span className="grid min-w-0">
              <span className="wrap-anywhere font-semibold">{player.name}</span>{" "}
              <span className="wrap-anywhere text-sm text-muted">
                <EmailText>{player.email}</EmailText>
              </span>
            </span>
            <span className="flex flex-wrap gap-2 max-md:col-start-2 max-md:row-start-2">
              <Standing player={player} />
            </span>
            <span className="text-right text-sm whitespace-nowrap tabular-nums">
              {player.balance}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** What is out of the ordinary about an account. */
export function Standing({ player }: { player: Pick<FoundWords, "isAdmin" | "isSuspended"> }) {
  return (
    <>
      {player.isAdmin && <Badge tone="sky">Admin</Badge>}
      {player.isSuspended && <Badge tone="red">Suspended</Badge>}
    </>
  );
}

const rowClass =
  "grid grid-cols-[auto_1fr_auto] items-center gap-x-4 gap-y-2 rounded-card bg-surface p-4 " +
  "shadow-card hover:bg-sunken md:grid-cols-[auto_1fr_auto_8rem] md:rounded-none md:bg-transparent " +
  "md:py-3 md:shadow-none md:hover:bg-sunken focus-visible:-outline-offset-3";
