import { type GamePlan, changedFields } from "#app/features/games/plan.ts";
import { findVenueNames } from "#app/features/venues/venues.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { euros } from "#app/platform/money.ts";
import type { Difference } from "#app/forms/form-result.ts";
import { dayWords } from "./desk-words.ts";

const LABELS: Record<keyof GamePlan, string> = {
  title: "Title",
  description: "Description",
  sport: "Sport",
  date: "Date",
  startTime: "Start",
  endTime: "End",
  venueId: "Venue",
  maxPlayers: "Players at most",
  gameFormat: "Format",
  isOutdoor: "Surroundings",
  priceCents: "Price",
  isFirstSessionFree: "First session free",
};

/** In what the stored game and the form differ, in words. */
export async function planDifferences(
  db: Db,
  theirs: GamePlan,
  yours: GamePlan,
): Promise<Difference[]> {
  const names = await findVenueNames(db, [theirs.venueId, yours.venueId]);
  return changedFields(theirs, yours).map((field) => ({
    label: LABELS[field],
    theirs: words(theirs, field, names),
    yours: words(yours, field, names),
  }));
}

function words(plan: GamePlan, field: keyof GamePlan, venues: Map<string, string>): string {
  switch (field) {
    case "date":
      return dayWords(plan.date);
    case "venueId":
      return venues.get(plan.venueId) ?? "";
    case "isOutdoor":
      return plan.isOutdoor ? "Outdoor" : "Indoor";
    case "priceCents":
      return euros(plan.priceCents);
    case "isFirstSessionFree":
      return plan.isFirstSessionFree ? "Yes" : "No";
    default:
      return String(plan[field]);
  }
}
