import { Link } from "react-router";
import { PaymentBadge } from "#app/features/bookings/payment-badge.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { TicketView } from "./ticket-view.ts";

type EarlierTicketsProps = {
  tickets: TicketView[];
  pages: { first: string | null; next: string | null };
};

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
                {ticket.openSpot && (
                  <p className="mt-1 text-sm">
                    <strong>Your spot is open</strong>
                    <span className="block text-muted tabular-nums">{ticket.openSpot}</span>
                  </p>
                )}
              </div>
              <EarlierBadge ticket={ticket} />
            </li>
          ))}
        </ul>
      )}
      <Pager label="Pages of earlier games" {...pages} />
    </section>
  );
}

function EarlierBadge({ ticket: { attendance, paymentStatus } }: { ticket: TicketView }) {
  if (attendance === "CheckedIn") return <Badge tone="green">Played</Badge>;
  if (attendance === "NoShow") return <Badge>Did not play</Badge>;
  return <PaymentBadge status={paymentStatus} />;
}
