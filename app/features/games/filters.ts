import { CITIES, CITY_MAX } from "#app/features/venues/rules.ts";
import { isId } from "#app/platform/ids.ts";
import type { GameLevel } from "#app/platform/schema.ts";
import { LEVELS, TIMES_OF_DAY, type TimeOfDay } from "./rules.ts";

export interface GameFilter {
  outdoor: boolean;
  indoor: boolean;
  cities: string[];
  times: TimeOfDay[];
  levels: GameLevel[];
}

export const NO_FILTER: GameFilter = {
  outdoor: false,
  indoor: false,
  cities: [],
  times: [],
  levels: [],
};

/** `city` repeated or comma-separated, `all` means every city; `time` and `level` repeated. */
export function parseGameFilter(query: URLSearchParams): GameFilter {
  const named = query.getAll("city").flatMap((value) => value.split(","));
  const cities = named.includes("all")
    ? [...CITIES]
    : CITIES.filter((city) => named.includes(city));
  return {
    outdoor: query.has("outdoor"),
    indoor: query.has("indoor"),
    cities,
    times: TIMES_OF_DAY.filter((time) => query.getAll("time").includes(time)),
    levels: LEVELS.filter((level) => query.getAll("level").includes(level)),
  };
}

export function listChoices(filter: GameFilter): { name: string; without: string }[] {
  type Choice = readonly [field: string, value: string, name: string];
  const choices: Choice[] = [
    ...(filter.outdoor ? [["outdoor", "1", "Outdoor"] as const] : []),
    ...(filter.indoor ? [["indoor", "1", "Indoor"] as const] : []),
    ...filter.cities.map((city) => ["city", city, city] as const),
    ...filter.times.map((time) => ["time", time, time] as const),
    ...filter.levels.map((level) => ["level", level, level] as const),
  ];
  return choices.map((choice) => {
    const others = choices.filter((other) => other !== choice);
    const query = new URLSearchParams(others.map(([field, value]) => [field, value]));
    return { name: choice[2], without: query.size > 0 ? `/events?${query}` : "/events" };
  });
}

/** Without Completed: past games are found by date. */
export const FILTER_STATUSES = ["Draft", "Published", "Cancelled"] as const;

export interface AdminGameFilter {
  when: "to-come" | "past" | "all";
  status: (typeof FILTER_STATUSES)[number] | null;
  venueId: string | null;
  city: string | null;
  pays: "unpaid" | "cash-back" | null;
  words: string | null;
  lacks: "attendance" | "result" | null;
}

export const WORDS_MAX = 100;
export const LACKING_DAYS = 14;

export function parseAdminGameFilter(query: URLSearchParams): AdminGameFilter {
  const given = (name: string) => query.get(name) ?? "";
  const when = given("when");
  const [lacks, pays] = [given("lacks"), given("pays")];
  const textOf = (name: string, max: number) =>
    given(name).replaceAll("\0", "").trim().slice(0, max) || null;
  return {
    when: when === "past" || when === "all" ? when : "to-come",
    status: FILTER_STATUSES.find((status) => status === given("status")) ?? null,
    venueId: isId(given("venue")) ? given("venue") : null,
    city: textOf("city", CITY_MAX),
    words: textOf("q", WORDS_MAX),
    lacks: lacks === "attendance" || lacks === "result" ? lacks : null,
    pays: pays === "unpaid" || pays === "cash-back" ? pays : null,
  };
}
