import type { NewVenue } from "#app/platform/schema.ts";

export type VenueSlug =
  | "otaniemi-hall"
  | "kumpula-bubble"
  | "toolo-cage"
  | "arabia-shore"
  | "tapiola-court"
  | "tikkurila-arena"
  | "myyrmaki-winter";

interface Place extends Pick<
  NewVenue,
  "name" | "city" | "address" | "description" | "player_notes"
> {
  /** What `public/photos/<slug>-1`, `-2` and so on show; drawn for this project. */
  photos: string[];
}

const PLACES: Record<VenueSlug, Place> = {
  "otaniemi-hall": {
    name: "Otaniemi Sports Hall",
    city: "Espoo",
    address: "Otakaari 5",
    description:
      "A full-size parquet court five minutes from the lecture halls. Indoor shoes with light " +
      "soles only. Showers and lockers are open until an hour after the last game; bring a lock.",
    player_notes:
      "Use the side door by the bicycle stands; the code is 2580. The changing rooms are one floor down.",
    photos: [
      "A sports hall with a parquet floor under rows of bright lamps, a game at the far end",
      "A white goal in front of the wall bars of the sports hall",
      "A football on the centre spot of the shining parquet",
    ],
  },
  "kumpula-bubble": {
    name: "Kumpula Bubble",
    city: "Helsinki",
    address: "Kumpulantie 12",
    description:
      "An air dome over artificial turf, warm enough for a T-shirt in January. Enter through the " +
      "revolving door on the south side. Studs are fine, blades are not.",
    player_notes:
      "Wait for the light above the revolving door to turn green, then go through one by one.",
    photos: [
      "Green turf under the white ribs of an air dome, a game in progress",
      "The corner of the turf, where the dome's cloth comes down behind the goal",
      "A football on the green turf of the air dome, the goal far behind",
    ],
  },
  "toolo-cage": {
    name: "Töölö Cage",
    city: "Helsinki",
    address: "Mannerheimintie 52",
    description:
      "A floodlit cage between the blocks, with boards that keep the ball in play. Small, quick " +
      "and loud. No changing rooms: come ready to play.",
    player_notes:
      "Bring a dark and a light shirt. The balls are in the box by the gate; its code is 1904.",
    photos: [
      "A fenced court under floodlights at night, city windows behind",
      "The floodlit cage seen from behind the goal, a game on the wet court",
      "A football on the wet blue-green court under floodlights",
    ],
  },
  "arabia-shore": {
    name: "Arabia Shore Pitch",
    city: "Helsinki",
    address: "Arabianranta 3",
    description:
      "Natural grass by the sea, best in the last light of the day. It can be windy, so bring a " +
      "layer. The tram stops two minutes away.",
    player_notes:
      "Meet at the bench behind the north goal. There is no water on the pitch, so bring a bottle.",
    photos: [
      "A grass pitch by the sea at dusk, birches at its side, the sky orange",
      "A goal on the grass, the sea and an orange sky behind its net",
      "A football in the grass in the last light of the day",
    ],
  },
  "tapiola-court": {
    name: "Tapiola Futsal Court",
    city: "Espoo",
    address: "Merituulentie 30",
    description:
      "A blue futsal floor with proper goals and daylight from high windows. Non-marking soles. " +
      "The café downstairs opens before the morning games.",
    player_notes: "Ring the bell marked Futsal and take the stairs on the left.",
    photos: [
      "A blue futsal court between white walls, daylight in the high windows",
      "The corner of the blue court with a bench and a goal",
      "A football over the line, in the net of the blue court",
    ],
  },
  "tikkurila-arena": {
    name: "Tikkurila Arena",
    city: "Vantaa",
    address: "Läntinen Valkoisenlähteentie 50",
    description:
      "The big hall by the railway: third-generation turf under steel trusses, changing rooms " +
      "for everyone, and a stand for those who wait for their game.",
    player_notes:
      "We play on field B. Pick up a bib at the reception and bring it back after the game.",
    photos: [
      "A large indoor arena: green turf under steel trusses and rows of lights",
      "The arena from the side line, with a bench and a game on the turf",
      "The arena seen through a goal net, the players out of focus",
    ],
  },
  "myyrmaki-winter": {
    name: "Myyrmäki Winter Pitch",
    city: "Vantaa",
    address: "Raappavuorentie 10",
    description:
      "Heated turf with the snow ploughed to the sides. Dress in layers and wear a cap; the " +
      "warm-up room has a kettle.",
    player_notes: "The gate closes at kick-off: ring the number on it if you are late.",
    photos: [
      "A cleared winter pitch between banks of snow in the blue hour, floodlights on",
      "A goal on the winter pitch in front of a ploughed bank of snow",
      "A football on the frosty turf, snow and floodlights behind",
    ],
  },
};

/** The demo's places, each with its own pictures. */
export const DEMO_VENUES = Object.entries(PLACES).map(([slug, { photos, ...place }]) => ({
  slug: slug as VenueSlug,
  venue: {
    ...place,
    photo_urls: photos.map((_, index) => `/photos/${slug}-${index + 1}-800.webp`),
    photo_alts: photos,
    maps_url: mapsUrl(place),
  },
}));

function mapsUrl({ address, city }: Pick<Place, "address" | "city">): string {
  const query = encodeURIComponent(`${address}, ${city}, Finland`);
  return `https://www.openstreetmap.org/search?query=${query}`;
}
