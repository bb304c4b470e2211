import {
  type AttendanceWeek,
  countActivePlayers,
  countGames,
  countNoShows,
  type GamesWeek,
} from "#app/features/bookings/metrics.server.ts";
import { count, DRAWN, money, share } from "./columns.ts";
import { average, credits, euro, percent, sumOf, whole } from "./number-words.ts";
import { type Figure, figureOf, type Sheet } from "./sheet.server.ts";
import { countPlayers } from "#app/features/players/profiles.server.ts";
import { countReviews, type RatedWeek } from "#app/features/support/inbox.server.ts";
import {
  type CreditsWeek,
  type IncomeWeek,
  sumCredits,
  sumIncome,
} from "#app/features/wallet/metrics.server.ts";

const players: Sheet<number> = {
  title: "Players",
  about: "Accounts that there are, by the week in which they were opened.",
  isByVenue: false,
  columns: [count("New players", (added) => added, DRAWN)],
  read: async (db, question) => {
    const { total, newPlayers } = await countPlayers(db, question);
    const note = `${whole(sumOf(newPlayers, (added) => added))} new in these weeks`;
    return { headline: whole(total), note, rows: newPlayers };
  },
};

const active: Sheet<number> = {
  title: "Active players",
  about: "Players with a seat in a game that has kicked off, each once a week.",
  isByVenue: true,
  columns: [count("Active players", (active) => active, DRAWN)],
  read: async (db, question) => {
    const found = await countActivePlayers(db, question);
    if (!found) return null;
    return { headline: whole(found.thisMonth), note: "this month", rows: found.byWeek };
  },
};

const games: Sheet<GamesWeek> = {
  title: "Games and fill rate",
  about: "Games that have kicked off, and how many of their spots were taken.",
  isByVenue: true,
  columns: [
    count("Games", ({ games }) => games),
    count("Spots taken", ({ taken }) => taken, DRAWN),
    count("Spots", ({ spots }) => spots, DRAWN),
    share("Fill rate", ({ taken, spots }) => [taken, spots]),
  ],
  read: async (db, question) => {
    const rows = await countGames(db, question);
    if (!rows) return null;
    const held = sumOf(rows, ({ games }) => games);
    const fill = percent(
      sumOf(rows, ({ taken }) => taken),
      sumOf(rows, ({ spots }) => spots),
    );
    const note = held === 0 ? "in these weeks" : `in these weeks, ${fill} of their spots taken`;
    return { headline: `${whole(held)} ${held === 1 ? "game" : "games"}`, note, rows };
  },
};

const income: Sheet<IncomeWeek> = {
  title: "Income and refunds",
  about: "What was paid in a week, and how much of that has gone back since.",
  isByVenue: false,
  columns: [
    count("Payments", ({ payments }) => payments),
    money("Income", ({ paidCents }) => paidCents, euro, DRAWN),
    money("Refunds", ({ returnedCents }) => returnedCents, euro, DRAWN),
  ],
  read: async (db, question) => {
    const rows = await sumIncome(db, question);
    if (!rows) return null;
    const returned = euro(sumOf(rows, ({ returnedCents }) => returnedCents));
    const headline = euro(sumOf(rows, ({ paidCents }) => paidCents));
    return { headline, note: `in these weeks, ${returned} of it refunded`, rows };
  },
};

const outstanding: Sheet<CreditsWeek> = {
  title: "Credits outstanding",
  about: "What all wallets held at the end of a week, and what came and went.",
  isByVenue: false,
  columns: [
    money("Added", ({ addedCents }) => addedCents, credits),
    money("Gone", ({ goneCents }) => goneCents, credits),
    money("Outstanding", ({ outstandingCents }) => outstandingCents, credits, DRAWN),
  ],
  read: async (db, question) => {
    const found = await sumCredits(db, question);
    if (!found) return null;
    return {
      headline: credits(found.totalCents),
      note: "credits in all wallets",
      rows: found.weeks,
    };
  },
};

const noShows: Sheet<AttendanceWeek> = {
  title: "No-shows",
  about: "Players who had a seat and did not come, of those who were marked at the pitch.",
  isByVenue: true,
  columns: [
    count("Marked", ({ marked }) => marked),
    count("No-shows", ({ noShows }) => noShows, DRAWN),
    share("Share", ({ noShows, marked }) => [noShows, marked]),
  ],
  read: async (db, question) => {
    const rows = await countNoShows(db, question);
    if (!rows) return null;
    const marked = sumOf(rows, ({ marked }) => marked);
    const headline = whole(sumOf(rows, ({ noShows }) => noShows));
    return { headline, note: `in these weeks, of ${whole(marked)} marked`, rows };
  },
};

const rating: Sheet<RatedWeek> = {
  title: "Rating",
  about: "The stars of the reviews that were left in a week.",
  isByVenue: false,
  top: 5,
  columns: [
    count("Reviews", ({ reviews }) => reviews),
    {
      label: "Average",
      text: ({ stars, reviews }) => average(stars, reviews),
      csv: ({ stars, reviews }) => (reviews === 0 ? "" : (stars / reviews).toFixed(2)),
      bar: ({ stars, reviews }) => (reviews === 0 ? 0 : stars / reviews),
    },
  ],
  read: async (db, question) => {
    const rows = await countReviews(db, question);
    if (!rows) return null;
    const reviews = sumOf(rows, (row) => row.reviews);
    const headline = `${average(
      sumOf(rows, ({ stars }) => stars),
      reviews,
    )} of 5`;
    const note = `${whole(reviews)} ${reviews === 1 ? "review" : "reviews"} in these weeks`;
    return { headline, note, rows };
  },
};

/** Every figure by its name in an address, in the order of the page. */
export const FIGURES = new Map<string, Figure>([
  ["games", figureOf(games)],
  ["active-players", figureOf(active)],
  ["income", figureOf(income)],
  ["credits", figureOf(outstanding)],
  ["players", figureOf(players)],
  ["no-shows", figureOf(noShows)],
  ["rating", figureOf(rating)],
]);
