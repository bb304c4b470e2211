import type { GameDetails } from "../../features/games/games.server.ts";
import { GAME_PRICE_CENTS, spotsLeft } from "../../features/games/rules.ts";
import { helsinkiIso } from "../../platform/clock.ts";
import { numericFromCents } from "../../platform/money.ts";

/** The game as schema.org's SportsEvent. Players' names are no part of it. */
export function sportsEvent(game: GameDetails, site: { appUrl: string; brandName: string }) {
  const url = `${site.appUrl}/events/${game.id}`;
  const spots = spotsLeft(game.maxPlayers, game.joinedCount);
  return {
    "@context": "https://schema.org",
    "@type": "SportsEvent",
    name: game.title,
    description: game.description || undefined,
    sport: "Football",
    url,
    startDate: helsinkiIso(game.startsAt),
    endDate: helsinkiIso(game.endsAt),
    eventStatus: "https://schema.org/EventScheduled",
    eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
    image: game.venue.photoUrls.map((photo) => new URL(photo, site.appUrl).href),
    maximumAttendeeCapacity: game.maxPlayers,
    remainingAttendeeCapacity: spots,
    location: {
      "@type": "Place",
      name: game.venue.name,
      address: {
        "@type": "PostalAddress",
        streetAddress: game.venue.address ?? undefined,
        addressLocality: game.venue.city,
        addressCountry: "FI",
      },
    },
    organizer: { "@type": "Organization", name: site.brandName, url: site.appUrl },
    offers: {
      "@type": "Offer",
      price: numericFromCents(GAME_PRICE_CENTS),
      priceCurrency: "EUR",
      availability: `https://schema.org/${spots > 0 ? "InStock" : "SoldOut"}`,
      url,
    },
  };
}
