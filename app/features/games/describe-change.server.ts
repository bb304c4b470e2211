import { monthDay, weekday } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { findVenueNames } from "#app/features/venues/venues.server.ts";
import type { GamePlan } from "./plan.ts";

export async function describeChange(db: Db, from: MailedPlan, to: MailedPlan) {
  const [change] = await describeChanges(db, [{ from, to }]);
  return change!;
}

/** What is different, for each of these in their order. One query. */
export async function describeChanges(db: Db, changes: Record<"from" | "to", MailedPlan>[]) {
  const ids = changes.flatMap(({ from, to }) => [from.venueId, to.venueId]);
  const venues = await findVenueNames(db, [...new Set(ids)]);
  return changes.map((change) => {
    const [from, to] = [toLabels(change.from, venues), toLabels(change.to, venues)];
    return LABELS.flatMap((label) =>
      from[label] === to[label] ? [] : [{ label, from: from[label], to: to[label] }],
    );
  });
}

const LABELS = ["Date", "Time", "Venue", "Max players", "First session free"] as const;

function toLabels(game: MailedPlan, venues: Map<string, string>) {
  return {
    Date: `${weekday(game.date)}, ${monthDay(game.date)}`,
    Time: `${game.startTime}–${game.endTime}${game.endTime < game.startTime ? " (next day)" : ""}`,
    Venue: venues.get(game.venueId) ?? "another place",
    "Max players": String(game.maxPlayers),
    "First session free": game.isFirstSessionFree ? "yes" : "no",
  };
}

/** What its players need to know of a game; times as "HH:MM" by Helsinki's clock. */
export type MailedPlan = Pick<
  GamePlan,
  "date" | "startTime" | "endTime" | "venueId" | "maxPlayers" | "isFirstSessionFree"
>;
