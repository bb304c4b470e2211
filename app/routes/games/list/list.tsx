import { queryOf } from "#app/forms/form-fields.server.ts";
import { Suspense } from "react";
import { Link } from "react-router";
import { listGamesOfToday, type TodaysGame } from "#app/features/roster/current-games.server.ts";
import { canMark } from "#app/features/roster/rules.ts";
import { clockTime } from "#app/features/games/rules.ts";
import { findViewerGames, listFaces } from "#app/features/bookings/bookings.server.ts";
import { listChoices, parseGameFilter } from "#app/features/games/filters.ts";
import { findNextFreeGame, listUpcomingGames } from "#app/features/games/games.server.ts";
import { GAME_COSTS, lacksCredits } from "#app/features/games/price.ts";
import { CITIES } from "#app/features/venues/rules.ts";
import type { Db } from "#app/platform/db.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { unreadOf } from "#app/routes/unread.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { viewerPlaceholders } from "#app/routes/viewer-placeholders.server.ts";
import { readShared } from "#app/routes/shared-reads.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ChevronRight, Cross, Filter } from "#app/ui/icon.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import type { Route } from "./+types/list";
import { FilterDrawer } from "./filter-drawer.tsx";
import { GameCard, GameRow, withLiveSpots } from "#app/routes/game-card/game-card.tsx";
import {
  type DayView,
  groupByDay,
  listDays,
  toFirstSteps,
} from "#app/routes/game-card/list-view.server.ts";
import { Announcements } from "./announcements.tsx";
import { useRereading } from "#app/live/rereading.ts";
import { type Live, useLiveGames } from "#app/live/use-live-games.ts";
import { DialogTrigger } from "#app/ui/dialog.tsx";

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const [db, now] = [app.db, app.now()];
  const { userId: playerId, firstName, balanceCents, isAdmin } = context.get(viewerContext);
  const filter = parseGameFilter(queryOf(request));
  const [{ games, faces }, found, unread, matches] = await Promise.all([
    readShared(app, request, `games ${JSON.stringify(filter)}`, (shared) =>
      listGamesWithFaces(shared, { filter, now }),
    ),
    findViewerGames(db, { playerId, now }),
    unreadOf(context, playerId),
    isAdmin ? listGamesOfToday(db, now) : [],
  ]);
  const viewer = { ...found, balanceCents };
  const isNew = !viewer.hasBooked && !viewer.hasUsedFreeSession;
  const findFree = () =>
    readShared(app, request, "next free game", (shared) => findNextFreeGame(shared, now));
  const firstSteps = isNew ? toFirstSteps(await findFree(), now) : null;
  const own = viewerPlaceholders(context);
  return {
    firstName: own("first-name", firstName),
    filter,
    choices: listChoices(filter),
    cities: [...CITIES],
    rosters: matches.filter((game) => isOn(game, now)).map(toRosterView),
    firstSteps,
    // The first steps without a free game say it.
    price: lacksCredits(viewer) && firstSteps?.gameId !== null ? GAME_COSTS : null,
    strip: listDays(games, now),
    days: groupByDay(games, { viewer, faces, unread, now, own }),
  };
}

/** On match day an organiser is led from here to the roster. */
const isOn = (game: TodaysGame, now: Date) =>
  canMark(game, now) && now.getTime() < game.startsAt.getTime() + MATCH_MS;
const MATCH_MS = 3 * 3_600_000;

const toRosterView = ({ id, startTime, endTime, venueName }: TodaysGame) => ({
  to: `/admin/games/${id}`,
  text: `Roster, ${clockTime(startTime)}–${clockTime(endTime)}, ${venueName}`,
});

async function listGamesWithFaces(db: Db, which: Parameters<typeof listUpcomingGames>[1]) {
  const games = await listUpcomingGames(db, which);
  return {
    games,
    faces: await listFaces(
      db,
      games.map(({ id }) => id),
    ),
  };
}

export const meta = metaOf({ title: "Games" });

type ListData = Route.ComponentProps["loaderData"];

export default function Games({ loaderData }: Route.ComponentProps) {
  const { firstName, filter, choices, cities, firstSteps, price, strip, days } = loaderData;
  const { rosters } = loaderData;
  const games = days.flatMap(({ date, games }) => games.map((game) => ({ ...game, date })));
  const startRereading = useRereading();
  const live = useLiveGames({ of: loaderData, games, startRereading, rereadsEdits: true });
  return (
    <>
      <Announcements games={games} live={live} />
      <Banner firstName={firstName} />
      <DayStrip days={strip} />
      <div className="mx-auto max-w-6xl px-4 pt-2.5">
        {choices.length > 0 && <Choices choices={choices} />}
        {rosters.map(({ to, text }) => (
          <FirstLink key={to} to={to}>
            {text}
          </FirstLink>
        ))}
        {firstSteps && <FirstSteps steps={firstSteps} />}
        {price && <p className="mb-2 text-sm text-muted">{price}</p>}
        {days.length === 0 && <NoGames isFiltered={choices.length > 0} />}
        {days.map((day, index) => (
          <Day key={day.date} day={day} live={live} isFirst={index === 0} />
        ))}
      </div>
      <FilterDrawer key={choices.map(({ name }) => name).join()} filter={filter} cities={cities} />
    </>
  );
}

function Banner({ firstName }: { firstName: string }) {
  return (
    <div className="relative isolate overflow-hidden bg-night text-chalk">
      <CentreCircle className="top-1/2 size-96 -translate-y-1/2 text-chalk/25 -right-32 max-md:hidden" />
      <div className="mx-auto max-w-6xl px-4 py-3 md:py-8">
        <h1 className="line-clamp-2 text-lg wrap-anywhere md:text-2xl">
          Hi {firstName || "there"}
        </h1>
        <p className="text-sm text-chalk/80 md:mt-1 md:text-base">
          Attend your next pickup Football game here.
        </p>
      </div>
    </div>
  );
}

function Choices({ choices }: { choices: ListData["choices"] }) {
  return (
    <p className="mb-3 flex flex-wrap gap-2">
      {choices.map(({ name, without }) => (
        <Link
          key={name}
          to={without}
          aria-label={`Remove ${name}`}
          className="inline-flex min-h-11 items-center gap-2 rounded-pill border border-edge bg-raised pr-3 pl-4 font-semibold hover:border-ink"
          onClick={focusFilters}
        >
          {name} <Cross className="size-4" />
        </Link>
      ))}
    </p>
  );
}

/** A pressed link disappears with its choice, and would take the focus along. */
function focusFilters() {
  document.querySelector<HTMLElement>("[commandfor=filters]")?.focus();
}

function FirstSteps({ steps: { gameId, text } }: { steps: NonNullable<ListData["firstSteps"]> }) {
  if (!gameId) {
    return (
      <p className="mb-3">
        {text}{" "}
        <Link to="/wallet" className="link font-semibold">
          Buy credits in your wallet.
        </Link>{" "}
        <Link to="/settings/onboarding" className="link font-semibold">
          How it works
        </Link>
      </p>
    );
  }
  return <FirstLink to={`/events/${gameId}`}>{text}</FirstLink>;
}

function FirstLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="mb-3 flex min-h-11 items-center justify-between gap-2 rounded-card border border-accent-edge bg-surface px-3 py-1.5 text-sm font-semibold"
    >
      {children} <ChevronRight className="size-5" />
    </Link>
  );
}

function NoGames({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      action={
        isFiltered ? (
          <ButtonLink to="/events">Clear filters</ButtonLink>
        ) : (
          <ButtonLink to="/venues">See the venues</ButtonLink>
        )
      }
    >
      No upcoming games found with the selected filters.
    </EmptyState>
  );
}

function Day({ day, live, isFirst }: { day: DayView; live: Live; isFirst: boolean }) {
  const first = day.games.findIndex(({ isFolded }) => !isFolded);
  const games = day.games.map((game) => ({ ...game, now: withLiveSpots(game, live[game.id]) }));
  return (
    <section
      aria-labelledby={`day-${day.date}`}
      className="mb-4 lg:mb-10 lg:grid lg:grid-cols-[11rem_1fr] lg:gap-6"
    >
      <h2
        id={`day-${day.date}`}
        className="mb-2 flex flex-wrap items-baseline gap-x-3 text-base lg:grid lg:content-start lg:gap-0"
      >
        <span className="wide font-extrabold">{day.weekday}</span>
        <time dateTime={day.date} className="text-sm font-medium text-muted">
          {day.monthDay}
        </time>
        {day.near && <span className="text-sm font-medium text-muted">{day.near}</span>}
      </h2>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 sm:gap-4">
        {games.map(({ now, ...game }, index) => (
          <li key={game.id} className={game.isFolded ? "sm:col-span-2" : undefined}>
            {/* Hydrates by itself: no card waits for all others, nor a tap for any. */}
            <Suspense>
              {game.isFolded ? (
                <GameRow game={now} />
              ) : (
                <GameCard
                  game={now}
                  isWide={index === first}
                  isFirst={isFirst && index === first}
                />
              )}
            </Suspense>
          </li>
        ))}
      </ul>
    </section>
  );
}

type DayStripProps = { days: ReturnType<typeof listDays> };

/** The days of the next two weeks, which lead to their games on this page, and the filters. */
function DayStrip({ days }: DayStripProps) {
  return (
    <div className="day-strip sticky top-16 z-20 border-b border-line bg-canvas short:static">
      <div className="mx-auto flex max-w-6xl items-center gap-2 py-1.5 pr-[16px]">
        <nav
          aria-label="Days"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without a link in it the keyboard could not scroll it
          tabIndex={days.some(({ date }) => date) ? undefined : 0}
          className="flex grow snap-x scroll-px-4 gap-1 overflow-x-auto overscroll-x-contain px-[16px] [scrollbar-width:none]"
        >
          {days.map(({ text, date }) =>
            date ? (
              <a key={text} href={`#day-${date}`} className={`${day} bg-sunken font-bold`}>
                {text}
              </a>
            ) : (
              <span key={text} className={`${day} text-muted`}>
                {text}
              </span>
            ),
          )}
        </nav>
        <DialogTrigger dialog="filters" className="shrink-0 max-sm:px-[12px]!">
          <Filter className="size-5 max-sm:hidden" /> Filters
        </DialogTrigger>
      </div>
    </div>
  );
}

const day =
  "min-h-12 min-w-[44px] shrink-0 snap-start rounded-card px-1 py-1 text-center leading-5 " +
  "whitespace-pre-line tabular-nums first-line:text-sm first-line:font-normal";
