import { GAME_PRICE_CENTS, gamesText } from "#app/features/games/rules.ts";
import { Link } from "react-router";
import {
  type PendingCash,
  listUnpaidSeats,
  type SeatCount,
  type Unpaid,
  type UnpaidSeat,
} from "#app/features/bookings/pending-cash.server.ts";
import { listAdminGames } from "#app/features/games/admin-games.server.ts";
import {
  type AdminGameFilter,
  FILTER_STATUSES,
  LACKING_DAYS,
  parseAdminGameFilter,
  WORDS_MAX,
} from "#app/features/games/filters.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";
import { ChoiceField, toVenueChoice } from "#app/routes/admin/choice-field.tsx";
import { FilterForm, foundText, MoreFilters, SearchField } from "#app/routes/admin/filter-form.tsx";
import { ListPage } from "#app/routes/admin/list-page.tsx";
import { listQuery } from "#app/routes/admin/list-query.server.ts";
import { dateAndTime, wallClock } from "#app/platform/clock.ts";
import { euros } from "#app/platform/money.ts";
import { openMoneyOf } from "#app/routes/admin/to-do.server.ts";
import { Part } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { unreadOfOrganiser } from "#app/routes/unread.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/list";
import { type AdminGameView, toAdminGameView } from "./game-view.server.ts";

const PAGE_SIZE = 50;
const MOST_PEOPLE = 100;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { query, after, pages } = listQuery(request, "/admin/games");
  const filter = parseAdminGameFilter(query);
  const isOver = { past: true, "to-come": false, all: null }[filter.when];
  const ofPeople = { isOver, limit: MOST_PEOPLE, now: now() };
  const [{ games, next }, venues, { unpaid, pendingCash }, seats, unread] = await Promise.all([
    listAdminGames(db, { filter, now: now(), after, limit: PAGE_SIZE }),
    listVenueNames(db),
    openMoneyOf(context),
    isOfPeople(filter) && after === null ? listUnpaidSeats(db, ofPeople) : [],
    unreadOfOrganiser(context),
  ]);
  const unreadOf = new Map(unread.map(({ gameId, count }) => [gameId, count]));
  return {
    games: games.map((game) => toAdminGameView(game, unreadOf.get(game.id))),
    filter,
    seats: seats.map(toSeatView),
    due: toMoneyLinks(unpaid, pendingCash),
    shown: shownText(filter),
    empty: emptyText(filter),
    venues: venues.map(toVenueChoice),
    cities: [...new Set(venues.map(({ city }) => city))].sort(),
    pages: pages(next),
  };
}

/** True for the links to it: the list is of all venues. */
const isOfPeople = ({ pays, status, venueId, city, words }: AdminGameFilter) =>
  pays === "unpaid" && !(status ?? venueId ?? city ?? words);

const toSeatView = ({ startsAt, venueName, ...seat }: UnpaidSeat) => ({
  ...seat,
  game: `${dateAndTime(wallClock(startsAt))}, ${venueName}`,
  amount: euros(GAME_PRICE_CENTS),
});

function emptyText({ when, status, venueId, city, words, pays, lacks }: AdminGameFilter): string {
  const isNarrowed = status ?? venueId ?? city ?? words ?? pays ?? lacks;
  return isNarrowed || when !== "to-come"
    ? "No games match this filter."
    : "No upcoming games. Create the next one.";
}

/** What is owed, separately for past and future games, and what is to be given back. */
function toMoneyLinks({ played, toCome }: Unpaid, { payments, games, cents }: PendingCash) {
  const links = [
    played.seats > 0 && { text: unpaidText(played, "played"), query: "when=past&pays=unpaid" },
    toCome.seats > 0 && { text: unpaidText(toCome, "upcoming"), query: "pays=unpaid" },
    payments > 0 && {
      text: `Money to give back: ${euros(cents)} in ${gamesText(games)}`,
      query: "when=all&pays=cash-back",
    },
  ];
  return links.filter((link) => link !== false);
}

/** The filter that a link has set in the folded fields. */
function shownText({ pays, lacks }: AdminGameFilter): string | null {
  const texts = [
    pays === "unpaid" && "with unpaid seats",
    pays === "cash-back" && "with cash to give back",
    lacks === "attendance" && `without attendance, of the last ${LACKING_DAYS} days`,
    lacks === "result" && `without a result, of the last ${LACKING_DAYS} days`,
  ].filter(Boolean);
  return texts.length > 0 ? `Only games ${texts.join(" and ")}.` : null;
}

const unpaidText = ({ seats, games }: SeatCount, kind: string) =>
  `${seats} unpaid ${seats === 1 ? "seat" : "seats"} in ${games} ${kind} ${games === 1 ? "game" : "games"}`;

export const meta = metaOf({ title: "Games" });

export default function Games({ loaderData }: Route.ComponentProps) {
  const { games, filter, pages, due } = loaderData;
  return (
    <ListPage
      title="Games"
      path="/admin/games"
      newLabel="New game"
      rows={games}
      toRow={(game) => <GameRow game={game} />}
      rowClass="grid-cols-[1fr_auto] md:grid-cols-[12rem_1fr_9rem_12rem]"
      emptyAction={
        filter.lacks &&
        filter.when !== "past" && (
          <ButtonLink to={`/admin/games?when=past&lacks=${filter.lacks}`}>Past games</ButtonLink>
        )
      }
      empty={loaderData.empty}
      pages={pages}
    >
      {due.length > 0 && (
        <p className="flex flex-wrap gap-x-5 tabular-nums">
          {due.map(({ text, query }) => (
            <Link
              key={query}
              to={`/admin/games?${query}`}
              className="inline-flex min-h-11 items-center link"
            >
              {text}
            </Link>
          ))}
        </p>
      )}
      <GameFilter {...loaderData} />
      {loaderData.seats.length > 0 && <UnpaidSeats seats={loaderData.seats} />}
      {loaderData.shown && (
        <p className="flex flex-wrap items-center gap-x-4">
          {loaderData.shown}
          <Link to="/admin/games" className="link inline-flex min-h-11 items-center">
            All games
          </Link>
        </p>
      )}
    </ListPage>
  );
}

type UnpaidSeatsProps = Pick<Route.ComponentProps["loaderData"], "seats">;

/** Each leads to the player's row, where it is marked as paid. */
function UnpaidSeats({ seats }: UnpaidSeatsProps) {
  return (
    <Part title="Who has not paid">
      <ul className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card">
        {seats.map(({ bookingId, gameId, name, game, amount }) => (
          <li key={bookingId}>
            <Link
              to={`/admin/games/${gameId}#seat-${bookingId}`}
              className="flex min-h-14 items-center justify-between gap-4 px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-3"
            >
              <span className="grid min-w-0">
                <span translate="no" className="font-semibold wrap-anywhere">
                  {name}
                </span>{" "}
                <span className="text-sm wrap-anywhere text-muted tabular-nums">{game}</span>
              </span>
              <span className="whitespace-nowrap tabular-nums">{amount}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

type GameFilterProps = Pick<
  Route.ComponentProps["loaderData"],
  "cities" | "filter" | "games" | "pages" | "venues"
>;

function GameFilter({ filter, venues, cities, games, pages }: GameFilterProps) {
  const { when, status, venueId, city, words, lacks, pays } = filter;
  const select = (name: string, value: string | null) => ({
    ...{ name, defaultValue: value ?? "", none: "Any" },
  });
  return (
    <FilterForm
      path="/admin/games"
      found={foundText(games.length, pages)}
      className="grid grid-cols-2 items-end gap-3 md:grid-cols-4"
      submitClass="max-md:col-start-2"
    >
      <SearchField
        label="Search"
        words={words ?? ""}
        max={WORDS_MAX}
        className="max-md:col-span-2"
      />
      <ChoiceField label="When" name="when" defaultValue={when} choices={TIMES} />
      <ChoiceField label="Status" {...select("status", status)} choices={STATUSES} />
      <MoreFilters isSet={Boolean(venueId ?? city)}>
        <ChoiceField label="Venue" {...select("venue", venueId)} choices={venues} />
        <ChoiceField label="City" {...select("city", city)} choices={cities.map(toChoice)} />
        <ChoiceField
          label={`To do, ${LACKING_DAYS} days`}
          {...select("lacks", lacks)}
          choices={LACKS}
        />
        <ChoiceField label="Payment" {...select("pays", pays)} choices={PAYMENTS} />
      </MoreFilters>
    </FilterForm>
  );
}

const toChoice = (text: string) => [text, text] as const;
const STATUSES = FILTER_STATUSES.map(toChoice);
const PAYMENTS = [
  ["unpaid", "Unpaid seats"],
  ["cash-back", "To give back"],
] as const;
const LACKS = [
  ["attendance", "No attendance"],
  ["result", "No result"],
] as const;
const TIMES = [
  ["to-come", "Upcoming"],
  ["past", "Past"],
  ["all", "All"],
] as const;

function GameRow({ game }: { game: AdminGameView }) {
  return (
    <>
      <span className="grid tabular-nums max-md:flex max-md:flex-wrap max-md:gap-x-2">
        <span className="font-bold">{game.day}</span> <span>{game.time}</span>
      </span>
      <span className="grid min-w-0 max-md:col-span-2 max-md:row-start-2">
        <span className="wrap-anywhere font-semibold">{game.title}</span>{" "}
        <span className="wrap-anywhere text-muted">{game.place}</span>
      </span>
      <span className="text-right tabular-nums max-md:row-start-3 max-md:text-left">
        <strong>{game.seats}</strong> <span className="text-sm text-muted">seats taken</span>
        {game.notes && <span className="block text-sm text-muted">{game.notes}</span>}
      </span>
      <span className="justify-self-end max-md:row-start-3">
        <Badge tone={game.statusTone}>{game.status}</Badge>
      </span>
    </>
  );
}
