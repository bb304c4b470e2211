import { Link } from "react-router";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { PaymentBadge } from "./payment-badge.tsx";
import type { TicketWords } from "./ticket-words.ts";

interface EarlierTicketsProps {
  tickets: TicketWords[];
  /** The addresses of the first and of the next page, where there are such. */
  pages: { first: string | null; next: string | null };
}

/** What is over, refunded or cancelled, newest first; nothing at all where there is none. */
export function EarlierTickets({ tickets, pages }: EarlierTicketsProps) {
  if (tickets.length === 0 && !pages.first) return null;
  return (
    <section aria-labelledby="earlier-games" className="grid gap-3">
      <h2 id="earlier-games" className="text-lg">
        Earlier
      </h2>
      {tickets.length === 0 ? (
        <EmptyState>There is nothing older.</EmptyState>
      ) : (
        <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
          {tickets.map((ticket) => (
            <li key={ticket.id} className="flex items-center justify-between gap-3 p-4">
              <div className="min-w-0">
                <Link to={`/events/${ticket.gameId}`} className="font-semibold hover:underline">
                  {ticket.venueName}
                </Link>
                <p className="text-sm text-muted tabular-nums">
                  {ticket.monthDayYear}, {ticket.start}
                  {ticket.isCalledOff && " · cancelled by the organiser"}
                </p>
              </div>
              <PaymentBadge status={ticket.paymentStatus} />
            </li>
          ))}
        </ul>
      )}
      <Pager label="Pages of earlier games" {...pages} />
    </section>
  );
}
