import { Link } from "react-router";
import type { PlayersTicketView } from "./player-view.ts";
import { KINDS } from "#app/routes/admin/tickets.ts";
import { Part } from "#app/routes/admin/page.tsx";
import { Badge } from "#app/ui/badge.tsx";

export function Messages({ tickets }: { tickets: PlayersTicketView[] }) {
  if (tickets.length === 0) return null;
  return (
    <Part title="Messages">
      <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
        {tickets.map(({ id, kind, title, when, state }) => (
          <li key={id}>
            <Link
              to={`/admin/inbox/${id}`}
              className="flex min-h-14 items-center gap-4 px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-3"
            >
              <span className="grid min-w-0 grow">
                <span className="font-semibold wrap-anywhere">{title}</span>{" "}
                <span className="text-sm text-muted tabular-nums">
                  {KINDS[kind].one}, {when}
                </span>
              </span>
              <Badge tone={state.tone}>{state.name}</Badge>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}
