import { Link, useSearchParams, useViewTransitionState } from "react-router";
import { hasUsedFreeSession, listJoinedGames } from "#app/features/bookings/bookings.server.ts";
import { countChoices, parseGameFilter } from "#app/features/games/filters.ts";
import { type GameCard as Game, listUpcomingGames } from "#app/features/games/games.server.ts";
import {
  clockTime,
  priceCents,
  spotsLeft,
  spotsText,
  spotsTone,
} from "#app/features/games/rules.ts";
import { CITIES } from "#app/features/venues/rules.ts";
import { addDays, helsinkiDate, monthDay, upperWeekday } from "#app/platform/clock.ts";
import { creditsText } from "#app/platform/money.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { useBackTarget } from "#app/ui/back-link.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Check, Filter } from "#app/ui/icon.tsx";
import { ownPath, Picture } from "#app/ui/picture.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import type { Route } from "./+types/list";
import { FilterDrawer } from "./filter-drawer.tsx";
import { DialogTrigger } from "#app/ui/dialog.tsx";

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const [db, now] = [app.db, app.now()];
  const viewer = context.get(viewerContext);
  const filter = parseGameFilter(new URL(request.url).searchParams);
  const [games, usedFree, joined] = await Promise.all([
    listUpcomingGames(db, { filter, now }),
    hasUsedFreeSession(db, viewer.userId),
    listJoinedGames(db, { playerId: viewer.userId, now }),
  ]);
  return {
    firstName: viewer.firstName,
    filter,
    cities: [...CITIES],
    days: groupByDay(games, { hasUsedFreeSession: usedFree, joined, today: helsinkiDate(now) }),
  };
}

export const meta = metaOf({ title: "Games" });

export default function Games({ loaderData }: Route.ComponentProps) {
  const { firstName, filter, cities, days } = loaderData;
  const choices = countChoices(filter);
  const [query] = useSearchParams();
  return (
    <>
      <Banner firstName={firstName} />
      <div className="mx-auto max-w-6xl px-4">
        <div className="flex min-h-11 items-center justify-end py-4">
          <DialogTrigger dialog="filters">
            <Filter className="size-5" /> Filters
            {choices > 0 && <span className="tabular-nums">({choices})</span>}
          </DialogTrigger>
        </div>
        {days.length === 0 && (
          <EmptyState
            action={
              choices > 0 ? (
                <ButtonLink to="/events">All games</ButtonLink>
              ) : (
                <ButtonLink to="/venues">See the venues</ButtonLink>
              )
            }
          >
            No upcoming games found with the selected filters.
          </EmptyState>
        )}
        {days.map((day, index) => (
          <Day key={day.date} day={day} isFirst={index === 0} />
        ))}
      </div>
      <FilterDrawer key={query.toString()} filter={filter} cities={cities} />
    </>
  );
}

function Banner({ firstName }: { firstName: string }) {
  return (
    <div className="relative isolate overflow-hidden bg-night text-chalk">
      <CentreCircle className="top-1/2 -right-32 size-96 -translate-y-1/2 text-chalk/25 max-md:hidden" />
      <div className="mx-auto max-w-6xl px-4 py-8 md:py-12">
        <h1 className="text-xl md:text-2xl">Hi {firstName || "there"}</h1>
        <p className="mt-1 text-chalk/80">Attend your next pickup Football game here.</p>
      </div>
    </div>
  );
}

type DayGroup = ReturnType<typeof groupByDay>[number];

function Day({ day, isFirst }: { day: DayGroup; isFirst: boolean }) {
  return (
    <section
      aria-labelledby={`day-${day.date}`}
      className="mb-10 lg:grid lg:grid-cols-[11rem_1fr] lg:gap-6"
    >
      <h2
        id={`day-${day.date}`}
        className="mb-3 flex items-baseline gap-3 text-base lg:grid lg:content-start lg:gap-0"
      >
        <span className="wide font-extrabold">{day.weekday}</span>
        <time dateTime={day.date} className="text-sm font-medium text-muted">
          {day.monthDay}
        </time>
        {day.near && <span className="text-sm font-medium text-muted">{day.near}</span>}
      </h2>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {day.games.map((game, index) => (
          <li key={game.id}>
            <GameCard game={game} isFirst={isFirst && index === 0} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Formats dates on the server, since browsers format them differently. */
function groupByDay(
  games: Game[],
  player: { hasUsedFreeSession: boolean; joined: string[]; today: string },
) {
  const days = Map.groupBy(games, (game) => game.date);
  return [...days].map(([date, sameDay]) => ({
    date,
    weekday: upperWeekday(date),
    monthDay: monthDay(date),
    near: nearWord(date, player.today),
    games: sameDay.map((game) => ({
      id: game.id,
      start: clockTime(game.startTime),
      end: clockTime(game.endTime),
      venueName: game.venueName,
      city: game.city,
      photoUrl: ownPath(game.photoUrl),
      isIn: player.joined.includes(game.id),
      price: priceText(priceCents(game, player)),
      spots: spotsLeft(game.maxPlayers, game.joinedCount),
    })),
  }));
}

function nearWord(date: string, today: string): string | null {
  if (date === today) return "Today";
  return date === addDays(today, 1) ? "Tomorrow" : null;
}

function priceText(cents: number): string {
  return cents === 0 ? "Free" : `${creditsText(cents)} credits`;
}

// Smaller files on phones, where browsers load the next cards early.
const SIZES = "(min-width: 1024px) 450px, (min-width: 640px) 50vw, 60vw";

/** The whole card is a link. */
function GameCard({ game, isFirst }: { game: DayGroup["games"][number]; isFirst: boolean }) {
  const to = `/events/${game.id}`;
  const fromHere = useBackTarget();
  // View transition between the list and this game's page.
  const travels = useViewTransitionState(to);
  return (
    <Link
      to={to}
      state={fromHere}
      prefetch="intent"
      viewTransition
      className="group block overflow-hidden rounded-card bg-surface shadow-card"
    >
      <div
        className={`relative isolate aspect-video overflow-hidden bg-night text-chalk ${travels ? "vt-photo" : ""}`}
      >
        {game.photoUrl ? (
          <Picture
            src={game.photoUrl}
            alt=""
            priority={isFirst}
            sizes={SIZES}
            className="size-full object-cover transition-transform group-hover:scale-103"
          />
        ) : (
          <div className="relative isolate size-full bg-linear-to-br from-night to-grass">
            <CentreCircle className="top-1/2 left-1/2 h-full -translate-1/2 text-chalk/30" />
          </div>
        )}
        {game.isIn && (
          <Badge tone="lime" className="absolute top-3 left-3">
            <Check className="size-4" /> You're in
          </Badge>
        )}
        <p className="absolute inset-x-0 bottom-0 bg-linear-to-t from-night/90 to-transparent px-4 pt-10 pb-3 text-xl font-bold tabular-nums">
          {game.start} – {game.end}
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 p-4">
        <div className="min-w-0 grow basis-full">
          <h3 className="truncate text-lg">{game.venueName}</h3>
          <p className="text-sm text-muted">{game.city}</p>
        </div>
        <Badge>{game.price}</Badge>
        <Badge tone={spotsTone(game.spots)}>{spotsText(game.spots)}</Badge>
      </div>
    </Link>
  );
}
