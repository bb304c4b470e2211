import {
  type EntryPosition,
  exportEntries,
  type RecordedEntry,
} from "#app/features/audit/entries.server.ts";
import { addDays, helsinkiWallClock, isDate, wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { type Column, date, json, text, time } from "#app/routes/responses/spreadsheets.server.ts";
import { actorName, subjectName } from "./entry-view.server.ts";
import { textOf } from "./parts.ts";
import { sentenceOf } from "./sentences.server.ts";

interface Period {
  from: Date;
  to: Date;
}

/** From two Helsinki dates, both inclusive; null if one is invalid. */
export function readPeriod(fromDate: string, toDate: string): Period | null {
  if (!isDay(fromDate) || !isDay(toDate)) return null;
  return { from: midnight(fromDate), to: midnight(addDays(toDate, 1)) };
}

const isDay = (text: string) => text.startsWith("20") && isDate(text);

/** Midnight in Helsinki: two or three hours before midnight UTC. */
function midnight(date: string): Date {
  const winter = new Date(Date.parse(`${date}T00:00:00Z`) - 2 * 3_600_000);
  const isSummer = !helsinkiWallClock(winter).endsWith("00:00:00");
  return isSummer ? new Date(winter.getTime() - 3_600_000) : winter;
}

/** So many are in memory at once. */
const ENTRIES_AT_ONCE = 1_000;

export async function* exportLines(db: Db, period: Period): AsyncGenerator<RecordedEntry[]> {
  let after: EntryPosition | null = null;
  for (;;) {
    const entries: (RecordedEntry & EntryPosition)[] = await exportEntries(db, {
      ...{ ...period, after, limit: ENTRIES_AT_ONCE },
    });
    yield entries;
    if (entries.length < ENTRIES_AT_ONCE) return;
    after = entries.at(-1)!;
  }
}

export const LOG_COLUMNS: Column<RecordedEntry>[] = [
  date("date", ({ at }) => wallClock(at).date),
  time("time", ({ at }) => wallClock(at).time),
  text("who", (entry) => actorName(entry.actor, entry.actorName)),
  text("what", (entry) => textOf(sentenceOf(entry))),
  text("code", ({ action }) => action),
  text("subject", ({ subject }) => subject),
  text("name", (entry) => subjectName(entry)),
  json("before", ({ details }) => details.before ?? null),
  json("after", ({ details }) => details.after ?? null),
  json("more", ({ details: { before: _before, after: _after, ...more } }) =>
    Object.keys(more).length > 0 ? more : null,
  ),
];
