import { clockTime } from "#app/features/games/rules.ts";
import { receiptNumber } from "#app/features/wallet/receipt-rules.ts";
import { transactionName } from "#app/features/wallet/rules.ts";
import { type Entry, listEntries } from "#app/features/wallet/statement.server.ts";
import { helsinkiWallClock, wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import {
  type Column,
  date,
  hundredths,
  instant,
  type Spreadsheet,
  text,
  time,
} from "#app/routes/responses/spreadsheets.server.ts";

const COLUMNS: Column<Entry>[] = [
  date("date", ({ at }) => wallClock(at).date),
  time("time", ({ at }) => wallClock(at).time),
  text("type", ({ type }) => transactionName(type)),
  text("note", ({ note }) => note),
  hundredths("amount", ({ amountCents }) => amountCents),
  hundredths("balance", ({ balanceCents }) => balanceCents),
  instant("expires", ({ expiresAt }) => expiresAt && helsinkiWallClock(expiresAt)),
  text("venue", ({ game }) => game && game.venueName),
  instant("game", ({ game }) => game && `${game.date} ${clockTime(game.startTime)}`),
  text("receipt", ({ receipt }) => receipt && receiptNumber(receipt)),
];

export function statementSpreadsheet(db: Db, userId: string): Spreadsheet<Entry> {
  return { columns: COLUMNS, rows: listParts(db, userId) };
}

/** So many entries are in memory at once. */
const CHUNK = 1_000;

async function* listParts(db: Db, userId: string): AsyncGenerator<Entry[]> {
  let before: number | undefined;
  for (;;) {
    const entries = await listEntries(db, { userId, before, limit: CHUNK });
    yield entries;
    if (entries.length < CHUNK) return;
    before = entries.at(-1)!.seq;
  }
}
