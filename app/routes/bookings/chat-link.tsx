import { Link } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import type { Unread } from "./ticket-view.ts";

type Ticket = Unread & { gameId: string; venueName: string; hasChat: boolean };

export function ChatLink({ ticket: { gameId, venueName, unread, hasChat } }: { ticket: Ticket }) {
  if (!hasChat) return null;
  return (
    <Link
      to={`/events/${gameId}/chat#latest`}
      className="inline-flex min-h-11 min-w-11 items-center gap-2 link justify-self-start font-semibold"
    >
      Chat{unread && <Badge tone="sky">{unread}</Badge>}
      <span className="sr-only">, {venueName}</span>
    </Link>
  );
}
