import { CITIES, CITY_MAX } from "#app/features/venues/rules.ts";
import { isId } from "#app/platform/ids.ts";

export interface GameFilter {
  outdoor: boolean;
  indoor: boolean;
  cities: string[];
}

/**
 * The players' filter in the URL: `outdoor`, `indoor`, and `city` repeated or comma-separated;
 * `all` means every city. Anything else is ignored.
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

/** Without Completed: a game of the past is found by its date. */
export const FILTER_STATUSES = ["Draft", "Published", "Cancelled"] as const;

export interface DeskFilter {
  when: "to-come" | "past" | "all";
  status: (typeof FILTER_STATUSES)[number] | null;
  venueId: string | null;
  city: string | null;
}

/** The admins' filter in the URL; an unknown value counts as not given. */
export function parseDeskFilter(query: URLSearchParams): DeskFilter {
  const given = (name: string) => query.get(name) ?? "";
  const when = given("when");
  const city = given("city").replaceAll("\0", "").slice(0, CITY_MAX);
  return {
    when: when === "past" || when === "all" ? when : "to-come",
    status: FILTER_STATUSES.find((status) => status === given("status")) ?? null,
    venueId: isId(given("venue")) ? given("venue") : null,
    city: city || null,
  };
}
