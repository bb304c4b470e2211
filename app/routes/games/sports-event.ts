import type { GameDetails } from "#app/features/games/games.server.ts";
import { hasStarted, priceCents, spotsLeft } from "#app/features/games/rules.ts";
import { helsinkiIso } from "#app/platform/clock.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { ownPath } from "#app/ui/picture.tsx";

interface Site {
  appUrl: string;
  brandName: string;
}

/** The game as schema.org's SportsEvent. Players' names are no part of it. */
export function sportsEvent(game: GameDetails, site: Site, now: Date) {
  const url = `${site.appUrl}/events/${game.id}`;
  const isCancelled = game.status === "Cancelled";
  return {
    "@context": "https://schema.org",
    "@type": "SportsEvent",
    name: game.title,
    description: game.description || undefined,
    sport: "Football",
    url,
    startDate: helsinkiIso(game.startsAt),
    endDate: helsinkiIso(game.endsAt),
    eventStatus: `https://schema.org/${isCancelled ? "EventCancelled" : "EventScheduled"}`,
    eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
    image: game.venue.photoUrls.filter(ownPath).map((photo) => new URL(photo, site.appUrl).href),
    maximumAttendeeCapacity: game.maxPlayers,
    remainingAttendeeCapacity: spotsLeft(game.maxPlayers, game.joinedCount),
    location: place(game),
    organizer: { "@type": "Organization", name: site.brandName, url: site.appUrl },
    // Nothing is sold any more once it has started.
    offers: isCancelled || hasStarted(game, now) ? undefined : offer(game, url),
  };
}

function place({ venue }: GameDetails) {
  return {
    "@type": "Place",
    name: venue.name,
    address: {
      "@type": "PostalAddress",
      streetAddress: venue.address ?? undefined,
      addressLocality: venue.city,
      addressCountry: "FI",
    },
  };
}

function offer(game: GameDetails, url: string) {
  const isFull = spotsLeft(game.maxPlayers, game.joinedCount) === 0;
  return {
    "@type": "Offer",
    // Someone who finds the game by a search has had no free session yet.
    price: numericFromCents(priceCents(game, { hasUsedFreeSession: false })),
    priceCurrency: "EUR",
    availability: `https://schema.org/${isFull ? "SoldOut" : "InStock"}`,
    url,
  };
}
