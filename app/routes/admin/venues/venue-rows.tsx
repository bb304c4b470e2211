import { Link } from "react-router";
import type { AdminVenueRow } from "#app/features/venues/admin-venues.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { photoCount } from "./photo-words.ts";

/** The venues as cards on a phone and as a table on a laptop; the whole row leads to the venue. */
export function VenueRows({ venues }: { venues: AdminVenueRow[] }) {
  return (
    <ul className="grid gap-3 md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
      {venues.map((venue) => (
        <li key={venue.id} className="md:border-t md:border-line md:first:border-t-0">
          <VenueRow venue={venue} />
        </li>
      ))}
    </ul>
  );
}

function VenueRow({ venue }: { venue: AdminVenueRow }) {
  return (
    <Link to={`/admin/venues/${venue.id}`} className={rowClass}>
      <span className="aspect-video w-24 overflow-hidden rounded-card bg-night">
        {venue.photoUrl && (
          <Picture src={venue.photoUrl} alt="" sizes="96px" className="size-full object-cover" />
        )}
      </span>
      <span className="grid min-w-0 grow">
        <span className="wrap-anywhere font-semibold">{venue.name}</span>{" "}
        <span className="wrap-anywhere text-sm text-muted">
          {venue.city} · {photoCount(venue.photoCount)}
        </span>
      </span>
      {venue.isHidden && <Badge>Hidden</Badge>}
    </Link>
  );
}

const rowClass =
  "flex items-center gap-4 rounded-card bg-surface p-4 shadow-card hover:bg-sunken " +
  "md:rounded-none md:bg-transparent md:shadow-none md:hover:bg-sunken " +
  "focus-visible:-outline-offset-3";
