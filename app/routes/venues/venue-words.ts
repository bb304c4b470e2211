import { webAddress } from "#app/features/venues/rules.ts";
import type { VenueDetails } from "#app/features/venues/venues.server.ts";
import { showGame } from "./game-words.ts";
import { photosOf } from "./photos.ts";
import { sportsLocation } from "./sports-location.ts";

/** A venue in the words of its page; an address that leads to no web page is no link. */
export function showVenue(venue: VenueDetails, site: { appUrl: string }) {
  const website = webAddress(venue.website);
  return {
    id: venue.id,
    name: venue.name,
    city: venue.city,
    place: venue.address ? `${venue.address}, ${venue.city}` : venue.city,
    description: venue.description,
    isHidden: venue.isHidden,
    photos: photosOf(venue),
    mapsUrl: webAddress(venue.mapsUrl),
    website: website && { url: website, host: new URL(website).host },
    games: venue.upcomingGames.map(showGame),
    structuredData: sportsLocation(venue, site),
  };
}

export type VenueWords = ReturnType<typeof showVenue>;
