import { webAddress } from "#app/features/venues/rules.ts";
import type { VenueDetails } from "#app/features/venues/venues.server.ts";
import { ownPath } from "#app/ui/picture.tsx";

/** The venue as schema.org's SportsActivityLocation. */
export function sportsLocation(venue: VenueDetails, { appUrl }: { appUrl: string }) {
  return {
    "@context": "https://schema.org",
    "@type": "SportsActivityLocation",
    name: venue.name,
    description: venue.description || undefined,
    url: `${appUrl}/venues/${venue.id}`,
    sameAs: webAddress(venue.website) ?? undefined,
    hasMap: webAddress(venue.mapsUrl) ?? undefined,
    image: venue.photoUrls.filter(ownPath).map((photo) => new URL(photo, appUrl).href),
    address: {
      "@type": "PostalAddress",
      streetAddress: venue.address ?? undefined,
      addressLocality: venue.city,
      addressCountry: "FI",
    },
  };
}
