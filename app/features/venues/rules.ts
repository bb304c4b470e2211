/** The cities we play in (specification, section 9). */
export const CITIES = ["Helsinki", "Espoo", "Vantaa"] as const;

/** Upcoming games on a venue's card and on its page (specification, section 9). */
export const GAMES_ON_CARD = 3;
export const GAMES_ON_PAGE = 5;

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
