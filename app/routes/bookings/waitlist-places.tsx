import { Link } from "react-router";
import { type EntryState, UNANSWERED_TEXT } from "#app/features/waitlist/rules.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Changes, LeaveWaitlist, PlaceTerms } from "#app/routes/games/waitlist/entry-parts.tsx";
import type { PlaceTicket } from "./ticket-view.ts";

/** Clearly no bookings: no ticket's shape, price or badge. */
export function WaitlistPlaces({ places }: { places: PlaceTicket[] }) {
  if (places.length === 0) return null;
  return (
    <section aria-labelledby="waitlist">
      <h2 id="waitlist" className="text-lg">
        Waitlist
      </h2>
      <p className="mb-3 text-sm text-muted">Not booked. Leaving is always free.</p>
      <ul className="grid gap-3">
        {places.map((place) => (
          <li
            key={place.entryId}
            className="grid gap-3 rounded-card border-2 border-dashed border-edge p-4 sm:flex sm:items-center sm:justify-between"
          >
            <Place place={place} />
            <Actions place={place} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Place({ place }: { place: PlaceTicket }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm tabular-nums">
        <span className="wide font-extrabold">{place.weekday}</span>
        <time dateTime={place.date} className="text-muted">
          {place.monthDay}
        </time>
        <span className="font-semibold">
          {place.start} – {place.end}
        </span>
      </p>
      <h3 className="-my-1 text-base">
        <Link
          translate="no"
          to={`/events/${place.gameId}`}
          className="inline-block py-2 hover:underline"
        >
          {place.venueName}
        </Link>
      </h3>
      <p aria-live="polite" className="font-semibold tabular-nums">
        {TEXTS[place.state](place)}
      </p>
      <Changes changes={place.changes} />
      {place.state === "offered" && (
        <p className="text-sm text-muted tabular-nums">{place.takes}</p>
      )}
      {place.state === "waiting" && <PlaceTerms place={place} />}
    </div>
  );
}

const TEXTS: Record<EntryState, (place: PlaceTicket) => string | null> = {
  offered: ({ offeredUntil }) => `A spot is held for you until ${offeredUntil}`,
  unanswered: () => UNANSWERED_TEXT,
  changed: ({ changed }) => changed,
  waiting: ({ position }) => position,
};

/** The page of the game, where the entry's question is answered. */
const ANSWERS: Record<EntryState, { to: string; label: string } | null> = {
  offered: { to: "?offer=1", label: "Take it or not" },
  unanswered: { to: "#join", label: "Look and answer" },
  changed: { to: "#join", label: "Look and agree" },
  waiting: null,
};

function Actions({ place }: { place: PlaceTicket }) {
  const name = <span className="sr-only">{`${place.venueName}, ${place.weekday}`}</span>;
  const answer = ANSWERS[place.state];
  return (
    <div className="flex flex-wrap gap-3 max-sm:*:grow sm:shrink-0 sm:flex-col">
      {answer && (
        <ButtonLink to={`/events/${place.gameId}${answer.to}`} variant="primary">
          {answer.label} {name}
        </ButtonLink>
      )}
      <LeaveWaitlist gameId={place.gameId} place={place} name={name} />
    </div>
  );
}
