import { expect, test } from "vitest";
import type { GameDetails } from "#app/features/games/games.server.ts";
import { sportsEvent } from "./game-page.server.ts";

const SITE = { appUrl: "https://kickabout.test", brandName: "Kickabout" };
const NOW = new Date("2026-01-10T10:00:00Z");

/** A winter evening in Helsinki, 19:00 to 20:30, unless said otherwise. */
function game(more: Partial<GameDetails> = {}): GameDetails {
  return {
    id: "5b4c0d4e-0000-4000-8000-000000000001",
    title: "Indoor futsal",
    description: "",
    date: "2026-01-15",
    startTime: "19:00:00",
    endTime: "20:30:00",
    startsAt: new Date("2026-01-15T17:00:00Z"),
    endsAt: new Date("2026-01-15T18:30:00Z"),
    status: "Published",
    maxPlayers: 10,
    joinedCount: 4,
    heldCount: 0,
    ...{ revision: "0.1", waiting: 0, hasHolds: false },
    gameFormat: "5v5",
    isOutdoor: false,
    level: null,
    isFirstSessionFree: false,
    ...{ minPlayers: null, decidesAt: null, decision: null },
    venue: {
      id: "v",
      name: "Töölö Cage",
      city: "Helsinki",
      address: "Mannerheimintie 52",
      mapsUrl: null,
      photoUrls: ["/photos/toolo-cage-1-1280.webp"],
      photoAlts: [],
      isHidden: false,
    },
    ...more,
  };
}
const eventOf = (more?: Partial<GameDetails>, now = NOW) => sportsEvent(game(more), SITE, now);

test("says when by Helsinki's clock, in winter and in summer", () => {
  expect(eventOf()).toMatchObject({
    startDate: "2026-01-15T19:00:00+02:00",
    endDate: "2026-01-15T20:30:00+02:00",
  });
  const summer = {
    startsAt: new Date("2026-07-15T16:00:00Z"),
    endsAt: new Date("2026-07-15T17:30:00Z"),
  };
  expect(eventOf(summer)).toMatchObject({
    startDate: "2026-07-15T19:00:00+03:00",
    endDate: "2026-07-15T20:30:00+03:00",
  });
});

// spec: 2.15
test("says where, how many fit and what it costs, with whole addresses", () => {
  expect(eventOf()).toMatchObject({
    "@type": "SportsEvent",
    url: "https://kickabout.test/events/5b4c0d4e-0000-4000-8000-000000000001",
    image: ["https://kickabout.test/photos/toolo-cage-1-1280.webp"],
    eventStatus: "https://schema.org/EventScheduled",
    maximumAttendeeCapacity: 10,
    remainingAttendeeCapacity: 6,
    location: { name: "Töölö Cage", address: { addressLocality: "Helsinki" } },
    offers: {
      price: "10.00",
      priceCurrency: "EUR",
      availability: "https://schema.org/InStock",
    },
  });
});

test("a full one is sold out, a free first session costs nothing", () => {
  expect(eventOf({ joinedCount: 10 })).toMatchObject({
    remainingAttendeeCapacity: 0,
    offers: { availability: "https://schema.org/SoldOut" },
  });
  expect(eventOf({ isFirstSessionFree: true }).offers?.price).toBe("0.00");
});

test("one that has started or was cancelled offers nothing", () => {
  expect(eventOf({}, new Date("2026-01-15T16:59:59Z")).offers).toBeDefined();
  expect(eventOf({}, new Date("2026-01-15T17:00:00Z")).offers).toBeUndefined();
  expect(eventOf({ status: "Cancelled" })).toMatchObject({
    eventStatus: "https://schema.org/EventCancelled",
    offers: undefined,
  });
});
