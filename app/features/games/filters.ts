import { CITIES, CITY_MAX } from "#app/features/venues/rules.ts";
import { isId } from "#app/platform/ids.ts";

export interface GameFilter {
  outdoor: boolean;
  indoor: boolean;
  cities: string[];
}

/** `outdoor`, `indoor`, and `city` repeated or comma-separated; `all` means every city. */
export function parseGameFilter(query: URLSearchParams): GameFilter {
  const named = query.getAll("city").flatMap((value) => value.split(","));
  const cities = named.includes("all")
    ? [...CITIES]
    : CITIES.filter((city) => named.includes(city));
  return { outdoor: query.has("outdoor"), indoor: query.has("indoor"), cities };
}

export function countChoices(filter: GameFilter): number {
  return Number(filter.outdoor) + Number(filter.indoor) + filter.cities.length;
}

/** Without Completed: past games are found by date. */
export const FILTER_STATUSES = ["Draft", "Published", "Cancelled"] as const;

export interface AdminGameFilter {
  when: "to-come" | "past" | "all";
  status: (typeof FILTER_STATUSES)[number] | null;
  venueId: string | null;
  city: string | null;
}

export function parseAdminGameFilter(query: URLSearchParams): AdminGameFilter {
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
