import { Link } from "react-router";
import type { ComponentProps } from "react";
import type { PlayersTicketView, toUnanswered } from "./player-view.ts";
import { AnswerForm } from "#app/routes/admin/answer-form.tsx";
import { KINDS } from "#app/routes/admin/tickets.ts";
import { Part } from "#app/routes/admin/page.tsx";
import { Badge } from "#app/ui/badge.tsx";

type MessagesProps = Pick<ComponentProps<typeof AnswerForm>, "answerId" | "repliesTo"> & {
  tickets: PlayersTicketView[];
  unanswered: ReturnType<typeof toUnanswered>;
};

/** The last ones; the newest that waits for an answer gets it here. */
export function Messages({ tickets, unanswered, ...form }: MessagesProps) {
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
            {unanswered?.id === id && (
              <div className="grid gap-3 px-4 pb-4">
                <p className="wrap-anywhere whitespace-pre-line">{unanswered.text}</p>
                <AnswerForm ticket={unanswered} action={`/admin/inbox/${id}`} {...form} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}
