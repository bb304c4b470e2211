import { listVenueChoices } from "#app/features/games/admin-games.server.ts";
import type { App } from "#app/routes/context.server.ts";

export type HallView = Awaited<ReturnType<typeof loadHalls>>[number];

const SHOWN = 4;
const RECENT_MS = 28 * 86_400_000;

/** Halls of recent or planned games; where the plan ends first comes first. */
export async function loadHalls({ db, now }: App) {
  const since = now().getTime() - RECENT_MS;
  const halls = (await listVenueChoices(db)).flatMap(({ id, name, isHidden, lastStartsAt }) => {
    const last = lastStartsAt?.getTime() ?? 0;
    return isHidden || last < since ? [] : [{ id, name, last }];
  });
  const soonest = halls.toSorted((one, other) => one.last - other.last);
  return soonest.slice(0, SHOWN).map(({ id, name }) => ({ id, name }));
}
