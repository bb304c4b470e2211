import { Link } from "react-router";
import { PaymentBadge } from "#app/features/bookings/payment-badge.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { EarlierTicketView, TicketView } from "./ticket-view.ts";
import { ChatLink } from "./chat-link.tsx";

type EarlierTicketsProps = {
  tickets: EarlierTicketView[];
  pages: { first: string | null; next: string | null };
  noShows: string | null;
};

export function EarlierTickets({ tickets, pages, noShows }: EarlierTicketsProps) {
  if (tickets.length === 0 && !pages.first) return null;
  return (
    <section aria-labelledby="earlier-games" className="grid gap-3">
      <h2 id="earlier-games" className="text-lg">
        Earlier
      </h2>
      {noShows && (
        <p className="text-sm text-muted tabular-nums">
          {noShows} Something came up, or the mark is wrong?{" "}
          <Link to="/settings/contact-support" className="link">
            Write to us
          </Link>
          .
        </p>
      )}
      {tickets.length === 0 ? (
        <EmptyState>There is nothing older.</EmptyState>
      ) : (
        <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
          {tickets.map((ticket) => (
            <li key={ticket.id} className="flex items-center justify-between gap-3 p-4">
              <div className="min-w-0">
                <Link
                  translate="no"
                  to={`/events/${ticket.gameId}`}
                  className="font-semibold hover:underline"
                >
                  {ticket.venueName}
                </Link>
                <p className="text-sm text-muted tabular-nums">
                  {ticket.monthDayYear}, {ticket.start}
                  {ticket.isCalledOff &&
                    (ticket.hadTooFewPlayers
                      ? " · called off: too few players"
                      : " · cancelled by the organiser")}
                  {ticket.showsRefundPending && `. ${REFUND_PENDING}`}
                </p>
                {ticket.cashBack && <p className="text-sm tabular-nums">{ticket.cashBack}</p>}
                <ChatLink ticket={ticket} />
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

/** Spots given back late, whose credits may still come back. */
export function OpenSpots({ tickets }: Pick<EarlierTicketsProps, "tickets">) {
  const open = tickets.filter(({ openSpot }) => openSpot);
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="open-spots" className="grid gap-3">
      <h2 id="open-spots" className="text-lg">
        Your spot is open
      </h2>
      <ul className="grid gap-3">
        {open.map((ticket) => (
          <li key={ticket.id} className="rounded-card border-2 border-dashed border-edge p-4">
            <p className="text-sm tabular-nums">
              <span className="wide font-extrabold">{ticket.weekday}</span>{" "}
              <span className="text-muted">{ticket.monthDay}</span>{" "}
              <span className="font-semibold">{ticket.start}</span>
            </p>
            <Link
              translate="no"
              to={`/events/${ticket.gameId}`}
              className="inline-flex min-h-11 items-center font-semibold hover:underline"
            >
              {ticket.venueName}
            </Link>
            <p className="text-sm text-muted tabular-nums">{ticket.openSpot}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const REFUND_PENDING = "What you paid or used comes back shortly, with an email.";

function EarlierBadge({ ticket: { attendance, paymentStatus } }: { ticket: TicketView }) {
  if (attendance === "CheckedIn") return <Badge tone="green">Played</Badge>;
  if (attendance === "NoShow") return <Badge>Did not play</Badge>;
  return <PaymentBadge status={paymentStatus} />;
}
