import { Link } from "react-router";
import { ButtonLink } from "../../ui/button.tsx";
import { PaymentBadge } from "./payment-badge.tsx";
import type { TicketWords } from "./ticket-words.ts";

/** What is over, refunded or cancelled, newest first; nothing at all where there is none. */
export function EarlierTickets({ tickets, hasMore }: { tickets: TicketWords[]; hasMore: boolean }) {
  if (tickets.length === 0) return null;
  return (
    <section aria-labelledby="earlier-games">
      <h2 id="earlier-games" className="mb-3 text-lg">
        Earlier
      </h2>
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
      {hasMore && (
        <ButtonLink to="?all" preventScrollReset variant="quiet" className="mt-3">
          Show more
        </ButtonLink>
      )}
    </section>
  );
}
