import { randomUUID } from "node:crypto";
import {
  findPlannedGame,
  findWeeksMade,
  listVenueChoices,
} from "#app/features/games/admin-games.server.ts";
import { holidayOn } from "#app/features/games/holidays.ts";
import { clockTime, gamesText } from "#app/features/games/rules.ts";
import { weeklySlots } from "#app/features/games/time-slots.ts";
import { monthDay, weekday } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { nextDate, planValues } from "#app/routes/admin/plan-values.ts";

export type Planning = Awaited<ReturnType<typeof loadPlanning>>;
export type EndingSeries = NonNullable<Awaited<ReturnType<typeof toEndingSeries>>>;

const VENUES_SHOWN = 4;
const DAY_MS = 86_400_000;
const RECENT_MS = 28 * DAY_MS;
/** As long ahead a series is shown to end. */
const ENDING_MS = 7 * DAY_MS;
const ENDING_SHOWN = 3;

/** Venues of recent or planned games; where the plan ends first comes first. */
export async function loadPlanning({ db, now }: App) {
  const [instant, since] = [now(), now().getTime() - RECENT_MS];
  const venues = (await listVenueChoices(db)).flatMap((venue) => {
    const last = venue.lastStartsAt?.getTime() ?? 0;
    return venue.isHidden || last < since ? [] : [{ ...venue, last }];
  });
  const soonest = venues.toSorted((one, other) => one.last - other.last);
  const ends = soonest.filter(({ last }) => last < instant.getTime() + ENDING_MS);
  const ending = await Promise.all(
    ends.slice(0, ENDING_SHOWN).map(({ lastGameId }) => toEndingSeries(db, lastGameId!, instant)),
  );
  return {
    venues: soonest.slice(0, VENUES_SHOWN).map(({ id, name }) => ({ id, name })),
    ending: ending.filter((series) => series !== null),
  };
}

/** The form of a new game, filled in like the last of the series; null for a single game. */
async function toEndingSeries(db: Db, gameId: string, now: Date) {
  const [game, weeks] = await Promise.all([findPlannedGame(db, gameId), findWeeksMade(db, gameId)]);
  if (!game || !weeks) return null;
  const { plan, venueName, startsAt } = game;
  const isRunning = startsAt > now;
  const first = { ...plan, date: nextDate(plan, now, isRunning) };
  const dates = weeklySlots(first, weeks).map(({ date }) => date);
  const leftOut = dates.filter((date) => holidayOn(date));
  const played = dates.filter((date) => !leftOut.includes(date));
  if (played.length === 0) return null;
  const without = leftOut.map((date) => monthDay(date)).join(", ");
  const span = [...new Set([played[0]!, played.at(-1)!])]
    .map((date) => monthDay(date))
    .join(" to ");
  return {
    venueId: plan.venueId,
    title: `${venueName}, ${plan.title}`,
    last: `${weekday(plan.date)}s ${clockTime(plan.startTime)}, the last on ${monthDay(plan.date)}`,
    dates: `${gamesText(played.length)}, ${span}${without && `, without ${without}`}`,
    button: `Publish ${played.length} more`,
    leftOut,
    formKey: randomUUID(),
    values: {
      ...planValues(first),
      // A box that is not ticked sends nothing.
      isFirstSessionFree: plan.isFirstSessionFree ? "on" : null,
      weeks: String(weeks),
      shownDates: dates.join(","),
      ...(isRunning && { continues: gameId }),
    },
  };
}
