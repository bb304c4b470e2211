import type { OpenLot } from "#app/features/wallet/lots.server.ts";
import { receiptNumber } from "#app/features/wallet/receipt-rules.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { gamesAvailable, shortageOf, transactionName } from "#app/features/wallet/rules.ts";
import { type Entry, listEntries } from "#app/features/wallet/statement.server.ts";
import {
  helsinkiIso,
  monthDay,
  monthDayYear,
  wallClock,
  dateAndTime,
} from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { creditsCount, creditsText, wholeCreditsCount } from "#app/platform/money.ts";
import type { Difference } from "./difference.server.ts";
import type { LotSource } from "#app/platform/schema.ts";
import { debtSentence } from "#app/routes/credits/plans.server.ts";

export function toBalanceView(
  viewer: { balanceCents: number; debtCents: number },
  difference: Difference | null = null,
) {
  const { balanceCents, debtCents } = viewer;
  const count = gamesAvailable(balanceCents);
  const shortage = shortageOf(GAME_PRICE_CENTS, viewer);
  const games = shortage
    ? `${creditsText(shortage.missingCents)} short of a game${debtCents > 0 ? ", with what you owe" : ""}`
    : `${count} ${count === 1 ? "game" : "games"} available`;
  return {
    credits: wholeCreditsCount(balanceCents),
    /** The games that it pays for, or what is missing for one, behind the cents that `credits` lacks. */
    buys: balanceCents % 100 === 0 ? games : `${creditsText(balanceCents)} exactly, ${games}`,
    /** By its cents where it has any, for one line. */
    inShort: `${creditsCount(balanceCents)} · ${games}`,
    difference,
    canPlay: count > 0,
    debt: debtCents > 0 ? debtSentence(debtCents) : null,
  };
}
export type BalanceView = ReturnType<typeof toBalanceView>;

const PAGE = 50;

/** A page of the statement: entries before the one named by `before` in the URL. */
export async function loadStatement(db: Db, userId: string, request: Request) {
  const text = new URL(request.url).searchParams.get("before") ?? "";
  const before = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  const entries = await listEntries(db, { userId, before, limit: PAGE + 1 });
  const shown = entries.slice(0, PAGE);
  return {
    entries: shown.map(toEntryView),
    /** The next page's `before`; null on the last page. */
    olderBefore: entries.length > PAGE ? shown.at(-1)!.seq : null,
    hasNewer: before !== undefined,
  };
}
export type StatementPage = Awaited<ReturnType<typeof loadStatement>>;

/** Times are in Helsinki. */
export function toEntryView(entry: Entry) {
  const { seq, at, note, game, receipt } = entry;
  const { date, time } = wallClock(at);
  const name = transactionName(entry.type);
  // An old top-up's note only repeats its name, and a payment's note its game.
  const isRepeated = note === name || (game !== null && entry.type === "deduction");
  return {
    seq,
    name,
    note: isRepeated ? null : note,
    game: game && {
      id: game.id,
      venue: game.venueName,
      when: dateAndTime({ date: game.date, time: game.startTime }),
    },
    receipt: receipt && { id: receipt.paymentId, name: `Receipt ${receiptNumber(receipt)}` },
    month: date.slice(0, 7),
    iso: helsinkiIso(at),
    monthDay: monthDay(date),
    monthDayYear: monthDayYear(date),
    time: time.slice(0, 5),
    amount: toAmountView(entry.amountCents),
    balance: creditsText(entry.balanceCents),
  };
}
export type EntryView = ReturnType<typeof toEntryView>;

/** Writes its sign, to see and to hear: screen readers skip a bare minus. */
export function toAmountView(cents: number) {
  const [sign, spoken] = cents < 0 ? ["\u2212", "minus"] : ["+", "plus"];
  const credits = creditsText(Math.abs(cents));
  return { shown: sign + credits, spoken: `${spoken} ${credits}`, isGain: cents > 0 };
}

export function toLotView(lot: OpenLot, now: Date) {
  const { id, source, isRestored, remainingCents, expiresAt } = lot;
  return {
    id,
    source: isRestored ? "Restored credits" : SOURCES[source],
    credits: creditsCount(remainingCents),
    lasts: expiresAt ? expiryText(source, expiresAt, now) : "Never expires",
  };
}
export type LotView = ReturnType<typeof toLotView>;

const SOURCES: Record<LotSource, string> = {
  pack: "Bought credits",
  subscription: "Monthly credits",
  reward: "Earned credits",
  refund: "Refunded credits",
  adjustment: "From the organiser",
};

// A past month stays spendable while its renewal is being charged; anything else that is over goes
// within minutes.
function expiryText(source: LotSource, expiresAt: Date, now: Date): string {
  const { date, time } = wallClock(expiresAt);
  const when = `${monthDay(date)}, ${time.slice(0, 5)}`;
  if (expiresAt > now) return `Expires ${when}`;
  return source === "subscription" ? `Month ended ${when}, renewal pending` : `Expired ${when}`;
}
