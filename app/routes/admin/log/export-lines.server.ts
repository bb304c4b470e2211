import {
  type EntryPosition,
  exportEntries,
  type RecordedEntry,
} from "#app/features/audit/entries.server.ts";
import { addDays, helsinkiWallClock, isDate, wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { csvRow, csvText } from "#app/routes/csv.server.ts";
import { actorName, subjectName } from "./entry-view.server.ts";
import { textOf } from "./parts.ts";
import { sentenceOf } from "./sentences.server.ts";

interface Period {
  from: Date;
  /** Exclusive. */
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

const ENTRIES_AT_ONCE = 1_000;
const COLUMNS = ["date", "time", "who", "what", "code", "subject", "name", "before", "after"];

export async function* exportLines(db: Db, period: Period): AsyncGenerator<string> {
  yield csvRow([...COLUMNS, "more"]);
  let after: EntryPosition | null = null;
  for (;;) {
    const entries: (RecordedEntry & EntryPosition)[] = await exportEntries(db, {
      ...{ ...period, after, limit: ENTRIES_AT_ONCE },
    });
    if (entries.length > 0) yield entries.map(entryLine).join("");
    if (entries.length < ENTRIES_AT_ONCE) return;
    after = entries.at(-1)!;
  }
}

function entryLine(entry: RecordedEntry) {
  const { at, actor, actorName: name, action, subject, details } = entry;
  const { date, time } = wallClock(at);
  const { before, after, ...more } = details;
  const texts = [actorName(actor, name), textOf(sentenceOf(entry)), action, subject];
  const facts = [before, after, Object.keys(more).length > 0 ? more : null].map((each) =>
    each === null || each === undefined ? "" : JSON.stringify(each),
  );
  return csvRow([date, time, ...[...texts, subjectName(entry), ...facts].map(csvText)]);
}
