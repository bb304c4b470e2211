export const CITIES = ["Helsinki", "Espoo", "Vantaa"] as const;

/** Upcoming games on a venue's card and on its page (specification, section 9). */
export const GAMES_ON_CARD = 3;
export const GAMES_ON_PAGE = 5;

export const NAME_MAX = 120;
export const CITY_MAX = 60;
export const PLAYER_NOTES_MAX = 2_000;

export const PHOTOS_MAX = 12;
export const PHOTO_MAX_BYTES = 10 * 1024 * 1024;
export const ALT_MAX = 200;
export const PHOTOS_AT_ONCE_BYTES = 60 * 1024 * 1024;

const FILTER_CITIES_MAX = 10;

/** Comma-separated, or repeated as a form without JavaScript sends it; unknown ones are kept. */
export function parseCities(query: URLSearchParams): string[] {
  const named = query.getAll("city").flatMap((value) => value.split(","));
  const cities = named.map(trimCity).filter((city) => city !== "");
  return [...new Set(cities)].slice(0, FILTER_CITIES_MAX);
}

// PostgreSQL takes no NUL in a text.
function trimCity(city: string): string {
  return [...city.replaceAll("\0", "").trim()].slice(0, CITY_MAX).join("").trim();
}

export function noVenuesText(cities: string[]): string {
  if (cities.length === 0) return "No venues found.";
  return `No venues found in ${new Intl.ListFormat("en-GB").format(cities)}.`;
}

export function cityPath(cities: string[]): string {
  if (cities.length === 0) return "/venues";
  return `/venues?city=${cities.map(encodeURIComponent).join(",")}`;
}

export function photoCount(count: number): string {
  if (count === 0) return "no photos";
  return count === 1 ? "1 photo" : `${count} photos`;
}
