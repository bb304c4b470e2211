/** So many weeks a figure can be asked for. */
export const PERIODS = [4, 12, 52] as const;
const USUAL = 12;

export interface Filter {
  weeks: number;
  venueId: string | null;
}

/** The filter in the URL; what is none, or a venue that is not there, counts as not given. */
export function parseFilter(query: URLSearchParams, venues: { id: string }[]): Filter {
  const weeks = PERIODS.find((period) => String(period) === query.get("weeks")) ?? USUAL;
  const venueId = query.get("venue");
  return { weeks, venueId: venues.find(({ id }) => id === venueId)?.id ?? null };
}

/** The address of a figure's file, by the same filter; the usual one is not spelt out. */
export function csvPath(key: string, { weeks, venueId }: Filter): string {
  const query = new URLSearchParams();
  if (weeks !== USUAL) query.set("weeks", String(weeks));
  if (venueId) query.set("venue", venueId);
  return `/admin/overview/${key}.csv${query.size > 0 ? `?${query}` : ""}`;
}
