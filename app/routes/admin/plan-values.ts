import type { GamePlan } from "#app/features/games/plan.ts";
import { kickOff } from "#app/features/games/time-slots.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import { creditsText } from "#app/platform/money.ts";

export function planValues(plan: GamePlan): Record<string, string> {
  const { isOutdoor, priceCents, ...rest } = plan;
  return {
    ...rest,
    maxPlayers: String(plan.maxPlayers),
    surroundings: isOutdoor ? "outdoor" : "indoor",
    priceEur: creditsText(priceCents),
    isFirstSessionFree: plan.isFirstSessionFree ? "on" : "",
    level: plan.level ?? "",
    minPlayers: String(plan.minPlayers ?? ""),
    decidesHours: String(plan.decidesHours),
  };
}

const WEEK = 7;

// A week after the other game, or the next such weekday if that is past. A long series may end far
// away: unless its game was chosen, at most a week after the next such weekday.
export function nextDate(
  slot: { date: string; startTime: string },
  now: Date,
  isChosen: boolean,
): string {
  const today = helsinkiDate(now);
  const ahead = (Date.parse(slot.date) - Date.parse(today)) / 86_400_000;
  let next = addDays(today, ((ahead % WEEK) + WEEK) % WEEK);
  const startsAt = kickOff({ ...slot, date: next });
  if (startsAt && startsAt <= now) next = addDays(next, WEEK);
  const weekLater = addDays(slot.date, WEEK);
  if (weekLater <= next) return next;
  return isChosen || weekLater < addDays(next, WEEK) ? weekLater : addDays(next, WEEK);
}
