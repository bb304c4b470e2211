import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import {
  type EntryPosition,
  exportEntries,
  type RecordedEntry,
} from "#app/features/audit/entries.server.ts";
import { csvRow, csvText } from "#app/routes/csv.server.ts";
import { actionWords, actorWords } from "./deed-words.ts";
import type { Period } from "./period.ts";

/** So many deeds are in memory at once. */
const CHUNK = 1_000;
const COLUMNS = ["date", "time", "who", "what", "code", "subject", "name", "before", "after"];

/** The log of a period as CSV, oldest first, in pieces. */
export async function* deedLines(db: Db, { from, to }: Period): AsyncGenerator<string> {
  yield csvRow([...COLUMNS, "more"]);
  let after: EntryPosition | null = null;
  for (;;) {
    const deeds: (RecordedEntry & EntryPosition)[] = await exportEntries(db, {
      from,
      to,
      after,
      limit: CHUNK,
    });
    if (deeds.length > 0) yield deeds.map(deedLine).join("");
    if (deeds.length < CHUNK) return;
    after = deeds.at(-1)!;
  }
}

function deedLine({ at, actor, actorName, action, subject, subjectName, details }: RecordedEntry) {
  const { date, time } = wallClock(at);
  const { before, after, ...more } = details;
  const texts = [actorWords(actor, actorName), actionWords(action), action, subject];
  const facts = [before, after, Object.keys(more).length > 0 ? more : null].map(factsText);
  return csvRow([date, time, ...[...texts, subjectName ?? "", ...facts].map(csvText)]);
}

function factsText(facts: unknown): string {
  return facts === null || facts === undefined ? "" : JSON.stringify(facts);
}
