import { Link } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import type { Unread } from "./ticket-view.ts";

type Ticket = Unread & { gameId: string; venueName: string };

/** To the end of the game's chat, where somebody has written. */
export function UnreadLink({ ticket: { gameId, venueName, unread } }: { ticket: Ticket }) {
  if (!unread) return null;
  return (
    <Link
      to={`/events/${gameId}/chat#latest`}
      className="inline-flex min-h-11 items-center justify-self-start hover:underline"
    >
      <Badge tone="sky">
        {unread}
        <span className="sr-only">, {venueName}</span>
      </Badge>
    </Link>
  );
}
