import { listVenueChoices } from "#app/features/games/admin-games.server.ts";
import type { App } from "#app/routes/context.server.ts";

export type RecentVenue = Awaited<ReturnType<typeof loadRecentVenues>>[number];

const VENUES_SHOWN = 4;
const RECENT_MS = 28 * 86_400_000;

/** Venues of recent or planned games; where the plan ends first comes first. */
export async function loadRecentVenues({ db, now }: App) {
  const since = now().getTime() - RECENT_MS;
  const venues = (await listVenueChoices(db)).flatMap(({ id, name, isHidden, lastStartsAt }) => {
    const last = lastStartsAt?.getTime() ?? 0;
    return isHidden || last < since ? [] : [{ id, name, last }];
  });
  const soonest = venues.toSorted((one, other) => one.last - other.last);
  return soonest.slice(0, VENUES_SHOWN).map(({ id, name }) => ({ id, name }));
}
