import { BackLink } from "#app/ui/back-link.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { External, Pin } from "#app/ui/icon.tsx";
import type { VenueWords } from "./venue-words.ts";

/** What the place is called, where it is and how to get there. */
export function VenueHeader({ venue }: { venue: VenueWords }) {
  const { name, place, mapsUrl, website } = venue;
  return (
    <header className="grid content-start gap-3">
      <BackLink key={venue.id} to="/venues">
        Venues
      </BackLink>
      <h1 className="text-xl wrap-anywhere">{name}</h1>
      <p className="flex items-center gap-3">
        <Pin className="size-5 text-muted" />
        {mapsUrl ? (
          <a href={mapsUrl} target="_blank" rel="noopener" className="link py-2.5">
            {place}
          </a>
        ) : (
          place
        )}
      </p>
      {(mapsUrl || website) && (
        <p className="flex flex-wrap gap-2">
          {mapsUrl && <OutLink url={mapsUrl} name="Directions" />}
          {website && <OutLink url={website.url} name={website.host} />}
        </p>
      )}
    </header>
  );
}

export function AboutVenue({ text }: { text: string }) {
  return (
    <section className="grid content-start gap-3">
      <h2 className="text-lg">About this venue</h2>
      <p className="wrap-anywhere whitespace-pre-line">{text}</p>
    </section>
  );
}

function OutLink({ url, name }: { url: string; name: string }) {
  return (
    <a href={url} target="_blank" rel="noopener" className={buttonClass({})}>
      {name} <External className="size-4" />
    </a>
  );
}
