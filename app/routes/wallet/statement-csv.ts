import { transactionName } from "../../features/wallet/rules.ts";
import { type Entry, listEntries } from "../../features/wallet/statement.server.ts";
import { helsinkiDate, helsinkiWallClock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db.server.ts";
import { numericFromCents } from "../../platform/money.ts";
import { appContext } from "../context.server.ts";
import { requirePlayer } from "../guards.server.ts";
import type { Route } from "./+types/statement-csv";
import { csvRow, csvText } from "./csv.ts";

/** So many entries are in memory at once. */
const CHUNK = 1_000;
const COLUMNS = ["date", "time", "type", "note", "amount", "balance", "expires"];
// Without it spreadsheets take the text for the code page of their machine.
const BYTE_ORDER_MARK = "\uFEFF";

/** The whole statement as a file, newest first. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { userId } = await requirePlayer(context, request, { to: "/" });
  return new Response(streamOf(csvLines(db, userId)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="statement-${helsinkiDate(now())}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

async function* csvLines(db: Db, userId: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(COLUMNS);
  let before: number | undefined;
  for (;;) {
    const entries = await listEntries(db, { userId, before, limit: CHUNK });
    if (entries.length > 0) yield entries.map(entryLine).join("");
    if (entries.length < CHUNK) return;
    before = entries.at(-1)!.seq;
  }
}

function entryLine({ at, type, note, amountCents, balanceCents, expiresAt }: Entry): string {
  const [date = "", time = ""] = helsinkiWallClock(at).split(" ");
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

/** Reads on only as fast as the browser takes it in. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}
