import { isId } from "#app/platform/ids.ts";

/** What the list can be narrowed to; a game of the past is found by its date. */
export const FILTER_STATUSES = ["Draft", "Published", "Cancelled"] as const;

export interface DeskFilter {
  when: "to-come" | "past" | "all";
  status: (typeof FILTER_STATUSES)[number] | null;
  venueId: string | null;
  city: string | null;
}

// As long as a venue's city can be.
const LONGEST_CITY = 60;

/** The filter of the desk's list in the URL; whatever is none counts as not given. */
export function parseDeskFilter(query: URLSearchParams): DeskFilter {
  const given = (name: string) => query.get(name) ?? "";
  const when = given("when");
  const city = given("city").replaceAll("\0", "").slice(0, LONGEST_CITY);
  return {
    when: when === "past" || when === "all" ? when : "to-come",
    status: FILTER_STATUSES.find((status) => status === given("status")) ?? null,
    venueId: isId(given("venue")) ? given("venue") : null,
    city: city || null,
  };
}
