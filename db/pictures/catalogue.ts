/** What each venue's pictures show, in order: `/photos/<slug>-<n>-<width>.avif`, n from 1. */
export const VENUE_PHOTOS: Record<string, { alt: string }[]> = {
  "otaniemi-hall": [
    { alt: "A sports hall with a parquet floor under rows of bright lamps, a game at the far end" },
    { alt: "A white goal in front of the wall bars of the sports hall" },
    { alt: "A football on the centre spot of the shining parquet" },
  ],
  "kumpula-bubble": [
    { alt: "Green turf under the white ribs of an air dome, a game in progress" },
    { alt: "The corner of the turf, where the dome's cloth comes down behind the goal" },
    { alt: "A football on the green turf of the air dome, the goal far behind" },
  ],
  "toolo-cage": [
    { alt: "A fenced court under floodlights at night, city windows behind" },
    { alt: "The floodlit cage seen from behind the goal, a game on the wet court" },
    { alt: "A football on the wet blue-green court under floodlights" },
  ],
  "arabia-shore": [
    { alt: "A grass pitch by the sea at dusk, birches at its side, the sky orange" },
    { alt: "A goal on the grass, the sea and an orange sky behind its net" },
    { alt: "A football in the grass in the last light of the day" },
  ],
  "tapiola-court": [
    { alt: "A blue futsal court between white walls, daylight in the high windows" },
    { alt: "The corner of the blue court with a bench and a goal" },
    { alt: "A football over the line, in the net of the blue court" },
  ],
  "tikkurila-arena": [
    { alt: "A large indoor arena: green turf under steel trusses and rows of lights" },
    { alt: "The arena from the side line, with a bench and a game on the turf" },
    { alt: "The arena seen through a goal net, the players out of focus" },
  ],
  "myyrmaki-winter": [
    { alt: "A cleared winter pitch between banks of snow in the blue hour, floodlights on" },
    { alt: "A goal on the winter pitch in front of a ploughed bank of snow" },
    { alt: "A football on the frosty turf, snow and floodlights behind" },
  ],
};
