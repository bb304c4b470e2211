import { Link } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { useKeptFocus } from "#app/ui/page-change.tsx";
import { Changes, LeaveWaitlist, PlaceTerms } from "#app/routes/games/waitlist/entry-parts.tsx";
import type { PlaceTicket } from "./ticket-view.ts";

/** Clearly no bookings: no ticket's shape, price or badge. */
export function WaitlistPlaces({ places }: { places: PlaceTicket[] }) {
  const heading = useKeptFocus<HTMLHeadingElement>(places.length);
  if (places.length === 0) return null;
  return (
    <section aria-labelledby="waitlist">
      <h2 ref={heading} id="waitlist" tabIndex={-1} className="text-lg outline-none">
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
        {stateOf(place)}
      </p>
      <Changes changes={place.changes} />
      {place.offeredUntil && <p className="text-sm text-muted tabular-nums">{place.takes}</p>}
      {!place.offeredUntil && !place.changed && !place.again && <PlaceTerms place={place} />}
    </div>
  );
}

function stateOf({ offeredUntil, changed, again, position }: PlaceTicket): string {
  if (again) return "Two offers went unanswered. Still want a spot?";
  if (offeredUntil) return `A spot is held for you until ${offeredUntil}`;
  return changed ?? position;
}

function Actions({ place }: { place: PlaceTicket }) {
  const name = <span className="sr-only">{`${place.venueName}, ${place.weekday}`}</span>;
  const path = `/events/${place.gameId}`;
  return (
    <div className="flex flex-wrap gap-3 max-sm:*:grow sm:shrink-0 sm:flex-col">
      {place.offeredUntil && (
        <ButtonLink to={`${path}?offer=1`} variant="primary">
          Take it or not {name}
        </ButtonLink>
      )}
      {(place.changed || place.again) && (
        <ButtonLink to={`${path}#join`} variant="primary">
          {place.again ? "Look and answer" : "Look and agree"} {name}
        </ButtonLink>
      )}
      <LeaveWaitlist gameId={place.gameId} place={place} name={name} />
    </div>
  );
}
