import { useId } from "react";
import { Link } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { PaymentBadge } from "#app/features/bookings/payment-badge.tsx";
import type { BookingWords } from "./player-words.ts";

interface BookingListProps {
  title: string;
  /** What stands where there are none. */
  empty: string;
  bookings: BookingWords[];
  /** That there are more than these. */
  more?: string | null;
}

/** Bookings of a player; each leads to its game on this desk. */
export function BookingList({ title, empty, bookings, more }: BookingListProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="grid gap-3">
      <h3 id={heading} className="text-base">
        {title}
      </h3>
      {bookings.length === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
          {bookings.map((booking) => (
            <li key={booking.id}>
              <Link to={`/admin/games/${booking.gameId}`} className={rowClass}>
                <span className="grid min-w-0">
                  <span className="font-semibold tabular-nums">{booking.when}</span>{" "}
                  <span className="wrap-anywhere text-sm text-muted">{booking.place}</span>
                </span>
                <span className="text-right text-sm whitespace-nowrap tabular-nums max-md:hidden">
                  {booking.price}
                </span>
                {booking.isCalledOff ? (
                  <Badge>Game cancelled</Badge>
                ) : (
                  <PaymentBadge status={booking.status} />
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {more && <p className="text-sm text-muted">{more}</p>}
    </section>
  );
}

const rowClass =
  "grid min-h-14 grid-cols-[1fr_auto] items-center gap-4 px-4 py-3 hover:bg-sunken " +
  "md:grid-cols-[1fr_auto_9rem] md:[&>:last-child]:justify-self-end focus-visible:-outline-offset-3";
