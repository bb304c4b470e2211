import { Form, Link, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { useKeptFocus } from "#app/ui/page-change.tsx";
import type { PlaceTicket } from "./ticket-view.ts";

/** Clearly no bookings: without a ticket's shape, price and badge. */
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
        <Link to={`/events/${place.gameId}`} className="inline-block py-2 hover:underline">
          {place.venueName}
        </Link>
      </h3>
      <p className="font-semibold tabular-nums">{stateOf(place)}</p>
      {!place.offeredUntil && !place.needsConsent && (
        <p className="text-sm text-muted tabular-nums">{place.what}</p>
      )}
    </div>
  );
}

function stateOf({ offeredUntil, needsConsent, position }: PlaceTicket): string {
  if (offeredUntil) return `A spot is held for you until ${offeredUntil}`;
  return needsConsent ? "The game has changed. Still want a spot?" : position;
}

function Actions({ place }: { place: PlaceTicket }) {
  const { formData } = useNavigation();
  const isLeaving =
    formData?.get("intent") === "leave-waitlist" && formData.get("gameId") === place.gameId;
  const name = <span className="sr-only">{`${place.venueName}, ${place.weekday}`}</span>;
  const path = `/events/${place.gameId}`;
  return (
    <div className="flex flex-wrap gap-3 max-sm:*:grow sm:flex-col">
      {place.offeredUntil && (
        <ButtonLink to={`${path}?offer=1`} variant="primary">
          Take it or not {name}
        </ButtonLink>
      )}
      {place.needsConsent && (
        <ButtonLink to={`${path}#join`} variant="primary">
          Look and agree {name}
        </ButtonLink>
      )}
      <Form method="post" preventScrollReset className="grid">
        <input type="hidden" name="intent" value="leave-waitlist" />
        <input type="hidden" name="gameId" value={place.gameId} />
        <Button pending={isLeaving} pendingLabel="Leaving…">
          Leave waitlist {name}
        </Button>
      </Form>
    </div>
  );
}
