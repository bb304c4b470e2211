import type { Entry } from "#app/features/wallet/statement.server.ts";
import { transactionName } from "#app/features/wallet/rules.ts";
import { helsinkiIso, monthDay, monthDayYear, wallClock } from "#app/platform/clock.ts";
import { creditsText } from "#app/platform/money.ts";

/** An entry in the words of the page; made on the server, in Helsinki's time. */
export function showEntry(entry: Entry) {
  const { seq, at, note, game } = entry;
  const { date, time } = wallClock(at);
  const name = transactionName(entry.type);
  return {
    seq,
    name,
    // Old top-ups only repeat their name.
    note: note === name ? null : note,
    game: game && { id: game.id, title: game.title, date: monthDay(game.date) },
    month: date.slice(0, 7),
    iso: helsinkiIso(at),
    monthDay: monthDay(date),
    monthDayYear: monthDayYear(date),
    time: time.slice(0, 5),
    amount: amountWords(entry.amountCents),
    balance: creditsText(entry.balanceCents),
  };
}

export type EntryWords = ReturnType<typeof showEntry>;

/** An amount with its sign, to see and to hear: screen readers drop a bare minus. */
export function amountWords(cents: number) {
  const [sign, spoken] = cents < 0 ? ["\u2212", "minus"] : ["+", "plus"];
  const credits = creditsText(Math.abs(cents));
  return { shown: sign + credits, spoken: `${spoken} ${credits}`, isGain: cents > 0 };
}

/** Entries under their months, "November 2026", in their order. */
export function byMonth(entries: EntryWords[]) {
  // Not by Map.groupBy: this runs in browsers that do not have it yet.
  const months = new Map<string, EntryWords[]>();
  for (const entry of entries) {
    months.set(entry.month, [...(months.get(entry.month) ?? []), entry]);
  }
  return [...months].map(([month, ofMonth]) => ({ month: monthName(month), entries: ofMonth }));
}

function monthName(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}

const MONTH = new Intl.DateTimeFormat("en-US", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
