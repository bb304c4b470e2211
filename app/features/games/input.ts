import { CITIES } from "#app/features/venues/rules.ts";

export interface GameFilter {
  outdoor: boolean;
  indoor: boolean;
  cities: string[];
}

/**
 * The filter in the URL: `outdoor`, `indoor`, and `city` repeated or comma-separated; `all` means
 * every city. Whatever else stands there is ignored.
 */
export function parseGameFilter(query: URLSearchParams): GameFilter {
  const named = query.getAll("city").flatMap((value) => value.split(","));
  const cities = named.includes("all")
    ? [...CITIES]
    : CITIES.filter((city) => named.includes(city));
  return { outdoor: query.has("outdoor"), indoor: query.has("indoor"), cities };
}

/** How many choices are made, for the Filters button. */
export function countChoices(filter: GameFilter): number {
  return Number(filter.outdoor) + Number(filter.indoor) + filter.cities.length;
}
