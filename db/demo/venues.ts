import type { NewVenue } from "#app/platform/schema.ts";
import { VENUE_PHOTOS } from "../pictures/catalogue.ts";

export type VenueSlug =
  | "otaniemi-hall"
  | "kumpula-bubble"
  | "toolo-cage"
  | "arabia-shore"
  | "tapiola-court"
  | "tikkurila-arena"
  | "myyrmaki-winter";

type Place = Pick<NewVenue, "name" | "city" | "address" | "description">;

const PLACES: Record<VenueSlug, Place> = {
  "otaniemi-hall": {
    name: "Otaniemi Sports Hall",
    city: "Espoo",
    address: "Otakaari 5",
    description:
      "A full-size parquet court five minutes from the lecture halls. Indoor shoes with light " +
      "soles only. Showers and lockers are open until an hour after the last game; bring a lock.",
  },
  "kumpula-bubble": {
    name: "Kumpula Bubble",
    city: "Helsinki",
    address: "Kumpulantie 12",
    description:
      "An air dome over artificial turf, warm enough for a T-shirt in January. Enter through the " +
      "revolving door on the south side. Studs are fine, blades are not.",
  },
  "toolo-cage": {
    name: "Töölö Cage",
    city: "Helsinki",
    address: "Mannerheimintie 52",
    description:
      "A floodlit cage between the blocks, with boards that keep the ball in play. Small, quick " +
      "and loud. No changing rooms: come ready to play.",
  },
  "arabia-shore": {
    name: "Arabia Shore Pitch",
    city: "Helsinki",
    address: "Arabianranta 3",
    description:
      "Natural grass by the sea, best in the last light of the day. It can be windy, so bring a " +
      "layer. The tram stops two minutes away.",
  },
  "tapiola-court": {
    name: "Tapiola Futsal Court",
    city: "Espoo",
    address: "Merituulentie 30",
    description:
      "A blue futsal floor with proper goals and daylight from high windows. Non-marking soles. " +
      "The café downstairs opens before the morning games.",
  },
  "tikkurila-arena": {
    name: "Tikkurila Arena",
    city: "Vantaa",
    address: "Läntinen Valkoisenlähteentie 50",
    description:
      "The big hall by the railway: third-generation turf under steel trusses, changing rooms " +
      "for everyone, and a stand for those who wait for their game.",
  },
  "myyrmaki-winter": {
    name: "Myyrmäki Winter Pitch",
    city: "Vantaa",
    address: "Raappavuorentie 10",
    description:
      "Heated turf with the snow ploughed to the sides. Dress in layers and wear a cap; the " +
      "warm-up room has a kettle.",
  },
};

/** The demo's places, each with its own pictures. */
export const DEMO_VENUES = Object.entries(PLACES).map(([slug, place]) => ({
  slug: slug as VenueSlug,
  venue: { ...place, ...photos(slug), maps_url: mapsUrl(place) },
}));

function photos(slug: string) {
  const pictures = VENUE_PHOTOS[slug] ?? [];
  return {
    photo_urls: pictures.map((_, index) => `/photos/${slug}-${index + 1}-800.webp`),
    photo_alts: pictures.map(({ alt }) => alt),
  };
}

function mapsUrl({ address, city }: Place): string {
  const query = encodeURIComponent(`${address}, ${city}, Finland`);
  return `https://www.openstreetmap.org/search?query=${query}`;
}
