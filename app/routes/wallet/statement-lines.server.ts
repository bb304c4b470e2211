import { transactionName } from "#app/features/wallet/rules.ts";
import { type Entry, listEntries } from "#app/features/wallet/statement.server.ts";
import { helsinkiWallClock, wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { csvRow, csvText } from "#app/routes/csv.server.ts";

/** So many entries are in memory at once. */
const CHUNK = 1_000;
const COLUMNS = ["date", "time", "type", "note", "amount", "balance", "expires"];

/** A player's whole statement as CSV, newest first, in pieces. */
export async function* csvLines(db: Db, userId: string): AsyncGenerator<string> {
  yield csvRow(COLUMNS);
  let before: number | undefined;
  for (;;) {
    const entries = await listEntries(db, { userId, before, limit: CHUNK });
    if (entries.length > 0) yield entries.map(entryLine).join("");
    if (entries.length < CHUNK) return;
    before = entries.at(-1)!.seq;
  }
}

function entryLine({ at, type, note, amountCents, balanceCents, expiresAt }: Entry): string {
  const { date, time } = wallClock(at);
  return csvRow([
    date,
    time,
    csvText(transactionName(type)),
    csvText(note ?? ""),
    numericFromCents(amountCents),
    numericFromCents(balanceCents),
    expiresAt ? helsinkiWallClock(expiresAt) : "",
  ]);
}
