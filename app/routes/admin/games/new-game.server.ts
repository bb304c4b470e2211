import { findPlannedGame, listVenueChoices } from "#app/features/games/admin-games.server.ts";
import { DEFAULT_FORMAT } from "#app/features/games/rules.ts";
import { kickOff } from "#app/features/games/time-slots.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";
import { dayWords } from "./desk-words.ts";
import { type FormValues, formValues } from "./plan-form.server.ts";

const WEEK = 7;

/**
 * The form of a new game, filled from another one a week later: from the game named by `from`, else
 * from the last one at the venue named by `venue`, else from the last one of all.
 */
export async function loadNewGame({ db, now }: App, query: URLSearchParams) {
  const choices = (await listVenueChoices(db)).filter(({ isHidden }) => !isHidden);
  const atVenue = choices.find(({ id }) => id === query.get("venue"));
  const latest = choices
    .filter(({ lastStartsAt }) => lastStartsAt)
    .toSorted((a, b) => b.lastStartsAt!.getTime() - a.lastStartsAt!.getTime())[0];
  const sourceId = query.get("from") ?? (atVenue ?? latest)?.lastGameId ?? undefined;
  const source = await findPlannedGame(db, sourceId);
  const venues = choices.map(({ id, name, city, lastGameId }) => ({
    ...{ id, name: `${name}, ${city}`, hasGame: lastGameId !== null },
  }));
  if (!source) {
    const values = { ...BLANK, date: addDays(helsinkiDate(now()), 1) };
    return { venues, values: { ...values, venueId: atVenue?.id ?? "" }, filledFrom: "" };
  }
  const date = nextWeek(source.plan, now());
  return {
    venues,
    values: formValues({ ...source.plan, date }),
    filledFrom: `Filled in like ${source.venueName}, ${dayWords(source.plan.date)}.`,
  };
}

const BLANK: FormValues = {
  title: "Pick-up football",
  sport: "Futsal",
  startTime: "19:00",
  endTime: "20:30",
  maxPlayers: "10",
  gameFormat: DEFAULT_FORMAT,
  surroundings: "indoor",
  priceEur: "10",
};

/** A week after the other game; where that is over, the first such weekday to come. */
function nextWeek(slot: { date: string; startTime: string }, now: Date): string {
  const weeksAgo = (Date.parse(helsinkiDate(now)) - Date.parse(slot.date)) / (WEEK * 86_400_000);
  const date = addDays(slot.date, WEEK * Math.max(1, Math.ceil(weeksAgo)));
  const startsAt = kickOff({ ...slot, date });
  return startsAt && startsAt <= now ? addDays(date, WEEK) : date;
}
