import { IF_FIRST_SESSION, type PriceViewer, priceView } from "#app/features/games/price.ts";
import { clockTime, spotsLeft } from "#app/features/games/rules.ts";
import { webAddress } from "#app/platform/web-address.ts";
import type { VenueDetails, VenueGame } from "#app/features/venues/venues.server.ts";
import { monthDay } from "#app/platform/clock.ts";
import { euros } from "#app/platform/money.ts";
import { postalAddress } from "#app/routes/structured-data.ts";
import { ownPath } from "#app/ui/picture.tsx";

type Shown = { appUrl: string; viewer: PriceViewer | null };

export function toVenueView(venue: VenueDetails, { appUrl, viewer }: Shown) {
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
    games: venue.upcomingGames.map((game) => toVenueGameView(game, viewer)),
    structuredData: sportsLocation(venue, appUrl),
  };
}

export type VenueView = ReturnType<typeof toVenueView>;

export function toVenueGameView(game: VenueGame, viewer: PriceViewer | null) {
  return {
    id: game.id,
    title: game.title,
    date: game.date,
    monthDay: monthDay(game.date),
    start: clockTime(game.startTime),
    price: venuePrice(game, viewer),
    spots: spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount),
  };
}

/** "FREE" or the euros that the organiser has set, as the specification says. */
function venuePrice(game: VenueGame, viewer: PriceViewer | null): string {
  const { free, credits, hasEuros, cents } = priceView(game, viewer);
  if (free) return viewer ? "FREE" : `FREE ${IF_FIRST_SESSION}`;
  return hasEuros && game.priceCents === cents ? credits : euros(game.priceCents);
}

export type VenueGameView = ReturnType<typeof toVenueGameView>;

export interface Photo {
  src: string;
  alt: string;
  large: string;
}

function photosOf(venue: { name: string; photoUrls: string[]; photoAlts: string[] }) {
  const photos = venue.photoUrls.map((src, index): Photo => {
    const alt = venue.photoAlts[index] || `${venue.name}, photo ${index + 1}`;
    return { src, alt, large: src.replace(ownPhoto, "$1-1280.webp") };
  });
  return photos.filter(({ src }) => ownPath(src));
}

const ownPhoto = /^((?:\/files)?\/photos\/.+)-\d+\.webp$/;

function sportsLocation(venue: VenueDetails, appUrl: string) {
  return {
    "@context": "https://schema.org",
    "@type": "SportsActivityLocation",
    name: venue.name,
    description: venue.description || undefined,
    url: `${appUrl}/venues/${venue.id}`,
    sameAs: webAddress(venue.website) ?? undefined,
    hasMap: webAddress(venue.mapsUrl) ?? undefined,
    image: venue.photoUrls.filter(ownPath).map((photo) => new URL(photo, appUrl).href),
    address: postalAddress(venue),
  };
}
