/** The cities we play in (specification, section 9). */
export const CITIES = ["Helsinki", "Espoo", "Vantaa"] as const;

/** Upcoming games on a venue's card and on its page (specification, section 9). */
export const GAMES_ON_CARD = 3;
export const GAMES_ON_PAGE = 5;

export const NAME_MAX = 120;
export const CITY_MAX = 60;
export const ADDRESS_MAX = 200;
export const DESCRIPTION_MAX = 4_000;
export const LINK_MAX = 500;

/** The photos of a venue; the first is the one on its card. */
export const PHOTOS_MAX = 12;
export const PHOTO_MAX_BYTES = 10 * 1024 * 1024;
export const ALT_MAX = 200;
/** All that are sent at once, in bytes; the form around them is small. */
export const PHOTOS_AT_ONCE_BYTES = 60 * 1024 * 1024;

/** What the list says where no venue is found: 'No venues found in Espoo and Vantaa.' */
export function noVenuesText(cities: string[]): string {
  if (cities.length === 0) return "No venues found.";
  return `No venues found in ${new Intl.ListFormat("en-GB").format(cities)}.`;
}

/** The address where it leads to a web page; null for any other scheme and for what is none. */
export function webAddress(text: string | null): string | null {
  const url = URL.parse(text ?? "");
  return url && ["http:", "https:"].includes(url.protocol) ? url.href : null;
}
