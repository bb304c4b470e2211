import {
  type AttendanceWeek,
  type CashWeek,
  countActivePlayers,
  countGames,
  countNoShows,
  countWaited,
  type GamesWeek,
  sumCash,
  type WaitlistWeek,
} from "#app/features/reports/metrics.server.ts";
import { countPlayers } from "#app/features/players/profiles.server.ts";
import { countReviews, type RatedWeek } from "#app/features/support/inbox.server.ts";
import {
  type CreditsWeek,
  type IncomeWeek,
  sumCredits,
  sumIncome,
} from "#app/features/wallet/metrics.server.ts";
import { CASH_METHODS, cashSumsText } from "#app/features/bookings/cash-texts.ts";
import type { CashMethod } from "#app/platform/schema.ts";
import { euros } from "#app/platform/money.ts";
import { hundredths } from "#app/routes/responses/spreadsheets.server.ts";
import {
  average,
  count,
  credits,
  drawn,
  type Metric,
  money,
  percent,
  type Report,
  reportOf,
  share,
  sumOf,
  whole,
} from "./report.server.ts";

const players: Metric<number, { total: number; newPlayers: number[] }> = {
  title: "Players",
  about: "All accounts, by the week in which they were opened.",
  isByVenue: false,
  columns: [drawn(count("New players", (added) => added))],
  read: countPlayers,
  rows: ({ newPlayers }) => newPlayers,
  summary: ({ total, newPlayers }) => ({
    headline: whole(total),
    note: `${whole(sumOf(newPlayers, (added) => added))} new in these weeks`,
  }),
};

const active: Metric<number, { thisMonth: number; byWeek: number[] }> = {
  title: "Active players",
  about: "Players with a seat in a game that has kicked off, each once a week.",
  isByVenue: true,
  columns: [drawn(count("Active players", (active) => active))],
  read: countActivePlayers,
  rows: ({ byWeek }) => byWeek,
  summary: ({ thisMonth }) => ({ headline: whole(thisMonth), note: "this month" }),
};

const games: Metric<GamesWeek> = {
  title: "Games and fill rate",
  about: "Games that have kicked off, and how many of their spots were taken.",
  isByVenue: true,
  columns: [
    count("Games", ({ games }) => games),
    drawn(count("Spots taken", ({ taken }) => taken)),
    drawn(count("Spots", ({ spots }) => spots)),
    share("Fill rate", ({ taken, spots }) => [taken, spots]),
  ],
  read: countGames,
  rows: (rows) => rows,
  summary: (rows) => {
    const held = sumOf(rows, ({ games }) => games);
    const taken = sumOf(rows, ({ taken }) => taken);
    const spots = sumOf(rows, ({ spots }) => spots);
    const note =
      held === 0
        ? "in these weeks"
        : `in these weeks, ${percent(taken, spots)} of their spots taken`;
    return { headline: `${whole(held)} ${held === 1 ? "game" : "games"}`, note };
  },
};

const income: Metric<IncomeWeek> = {
  title: "Income and refunds",
  about: "What was paid in a week, and how much of that has gone back since.",
  isByVenue: false,
  columns: [
    count("Payments", ({ payments }) => payments),
    drawn(money("Income", ({ paidCents }) => paidCents, euros)),
    drawn(money("Refunds", ({ returnedCents }) => returnedCents, euros)),
  ],
  read: sumIncome,
  rows: (rows) => rows,
  summary: (rows) => {
    const returned = euros(sumOf(rows, ({ returnedCents }) => returnedCents));
    const headline = euros(sumOf(rows, ({ paidCents }) => paidCents));
    return { headline, note: `in these weeks, ${returned} of it refunded` };
  },
};

const inHand = (row: CashWeek) => row.notedCents - row.returnedCents;

const cash: Metric<CashWeek> = {
  title: "Paid by hand",
  about:
    "Cash and other payments that organisers noted in a week, apart from cards, how much of that " +
    "they have given back since, and by which method the rest was paid.",
  isByVenue: true,
  columns: [
    count("Payments", ({ payments }) => payments),
    drawn(money("Noted", ({ notedCents }) => notedCents, euros)),
    drawn(money("Given back", ({ returnedCents }) => returnedCents, euros)),
    {
      ...money("By method", inHand, euros),
      only: "page",
      text: (row) => cashSumsText(row) || "–",
    },
    ...CASH_METHODS.map((method) => {
      return { ...money<CashWeek>(method, (row) => row[method], euros), only: "file" as const };
    }),
  ],
  read: sumCash,
  rows: (rows) => rows,
  summary: (rows) => {
    const returned = euros(sumOf(rows, ({ returnedCents }) => returnedCents));
    const headline = euros(sumOf(rows, ({ notedCents }) => notedCents));
    const left = Object.fromEntries(
      CASH_METHODS.map((method) => [method, sumOf(rows, (row) => row[method])]),
    ) as Record<CashMethod, number>;
    const note = `in these weeks, ${returned} of it given back`;
    return { headline, note: [note, cashSumsText(left)].filter(Boolean).join(" · ") };
  },
};

const outstanding: Metric<CreditsWeek, { totalCents: number; weeks: CreditsWeek[] }> = {
  title: "Credits outstanding",
  about: "What all wallets held at the end of a week, and what came and went.",
  isByVenue: false,
  columns: [
    money("Added", ({ addedCents }) => addedCents, credits),
    money("Gone", ({ goneCents }) => goneCents, credits),
    drawn(money("Outstanding", ({ outstandingCents }) => outstandingCents, credits)),
  ],
  read: sumCredits,
  rows: ({ weeks }) => weeks,
  summary: ({ totalCents }) => ({ headline: credits(totalCents), note: "credits in all wallets" }),
};

const noShows: Metric<AttendanceWeek> = {
  title: "No-shows",
  about:
    "Players who had a seat and did not come, of those who were marked at the pitch. Excused ones " +
    "are not counted.",
  isByVenue: true,
  columns: [
    count("Marked", ({ marked }) => marked),
    drawn(count("No-shows", ({ noShows }) => noShows)),
    share("Share", ({ noShows, marked }) => [noShows, marked]),
  ],
  read: countNoShows,
  rows: (rows) => rows,
  summary: (rows) => ({
    headline: whole(sumOf(rows, ({ noShows }) => noShows)),
    note: `in these weeks, of ${whole(sumOf(rows, ({ marked }) => marked))} marked`,
  }),
};

const waitlists: Metric<WaitlistWeek> = {
  title: "Waitlists",
  about: "Players who waited for a spot in a game that has kicked off, and how many played it.",
  isByVenue: true,
  columns: [
    drawn(count("Waited", ({ waited }) => waited)),
    drawn(count("Played", ({ played }) => played)),
    share("Share", ({ played, waited }) => [played, waited]),
  ],
  read: countWaited,
  rows: (rows) => rows,
  summary: (rows) => ({
    headline: `${whole(sumOf(rows, ({ waited }) => waited))} waited`,
    note: `in these weeks, ${whole(sumOf(rows, ({ played }) => played))} of them played`,
  }),
};

const rating: Metric<RatedWeek> = {
  title: "Rating",
  about: "The stars of the reviews that were left in a week.",
  isByVenue: false,
  top: 5,
  columns: [
    count("Reviews", ({ reviews }) => reviews),
    {
      label: "Average",
      value: ({ stars, reviews }) => (reviews === 0 ? 0 : stars / reviews),
      text: ({ stars, reviews }) => average(stars, reviews),
      kind: hundredths,
      cell: ({ stars, reviews }) => (reviews === 0 ? null : Math.round((100 * stars) / reviews)),
      isDrawn: true,
    },
  ],
  read: countReviews,
  rows: (rows) => rows,
  summary: (rows) => {
    const reviews = sumOf(rows, (row) => row.reviews);
    const stars = sumOf(rows, (row) => row.stars);
    const note = `${whole(reviews)} ${reviews === 1 ? "review" : "reviews"} in these weeks`;
    return { headline: `${average(stars, reviews)} of 5`, note };
  },
};

export const REPORTS = new Map<string, Report>([
  ["games", reportOf(games)],
  ["active-players", reportOf(active)],
  ["income", reportOf(income)],
  ["cash", reportOf(cash)],
  ["credits", reportOf(outstanding)],
  ["players", reportOf(players)],
  ["no-shows", reportOf(noShows)],
  ["waitlists", reportOf(waitlists)],
  ["rating", reportOf(rating)],
]);
