import { Form, Link, useNavigation } from "react-router";
import { listAdminGames } from "#app/features/games/admin-games.server.ts";
import { FILTER_STATUSES, parseAdminGameFilter } from "#app/features/games/filters.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";
import { pageOf } from "#app/routes/admin/page-of.ts";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { Plus } from "#app/ui/icon.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { Route } from "./+types/list";
import { type AdminGameView, toAdminGameView } from "./game-view.server.ts";

const PAGE_SIZE = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const filter = parseAdminGameFilter(query);
  const after = query.get("after");
  const [{ games, next }, venues] = await Promise.all([
    listAdminGames(db, { filter, now: now(), after, limit: PAGE_SIZE }),
    listVenueNames(db),
  ]);
  return {
    games: games.map(toAdminGameView),
    filter,
    venues: venues.map(({ id, name, city }) => ({ id, name: `${name}, ${city}` })),
    cities: [...new Set(venues.map(({ city }) => city))].sort(),
    first: after ? pageOf("/admin/games", query, null) : null,
    next: next && pageOf("/admin/games", query, next),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Games" });

export default function Games({ loaderData }: Route.ComponentProps) {
  const { games, filter, venues, cities, first, next } = loaderData;
  const isNarrowed = Boolean(filter.status ?? filter.venueId ?? filter.city);
  return (
    <section aria-labelledby="games" className="grid gap-4">
      <div className="flex items-center justify-between gap-4">
        <h2 id="games" className="text-lg">
          Games
        </h2>
        <ButtonLink to="/admin/games/new" variant="primary">
          <Plus className="size-5" /> New game
        </ButtonLink>
      </div>
      <ListFilter filter={filter} venues={venues} cities={cities} />
      {games.length > 0 ? (
        <ul className="grid gap-3 md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
          {games.map((game) => (
            <li key={game.id} className="md:border-t md:border-line md:first:border-t-0">
              <GameRow game={game} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState>
          {isNarrowed || filter.when !== "to-come"
            ? "No games match this filter."
            : "No upcoming games. Create the next one."}
        </EmptyState>
      )}
      <Pager label="Pages of games" first={first} next={next} />
    </section>
  );
}

type ListFilterProps = Pick<Route.ComponentProps["loaderData"], "filter" | "venues" | "cities">;

/** Which games are listed; the address keeps it. */
function ListFilter({ filter, venues, cities }: ListFilterProps) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin/games" && formMethod === "GET";
  return (
    <Form
      method="get"
      // After the back button the fields show the filter of that list again.
      key={JSON.stringify(filter)}
      className="grid grid-cols-2 gap-3 md:grid-cols-[1fr_1fr_1.5fr_1fr_auto] md:items-end"
    >
      <SelectField label="When" name="when" defaultValue={filter.when}>
        <option value="to-come">Upcoming</option>
        <option value="past">Past</option>
        <option value="all">All</option>
      </SelectField>
      <SelectField label="Status" name="status" defaultValue={filter.status ?? ""}>
        <option value="">Any</option>
        {FILTER_STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </SelectField>
      <SelectField label="Venue" name="venue" defaultValue={filter.venueId ?? ""}>
        <option value="">Any</option>
        {venues.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="City" name="city" defaultValue={filter.city ?? ""}>
        <option value="">Any</option>
        {cities.map((city) => (
          <option key={city}>{city}</option>
        ))}
      </SelectField>
      <Button pending={isPending} pendingLabel="Showing…" className="min-h-12 max-md:col-span-2">
        Show
      </Button>
    </Form>
  );
}

/** A card on a phone, a row of a table on a laptop; the whole of it is a link. */
function GameRow({ game }: { game: AdminGameView }) {
  return (
    <Link to={`/admin/games/${game.id}`} className={rowClass}>
      <span className="grid tabular-nums max-md:flex max-md:flex-wrap max-md:gap-x-2">
        <span className="font-bold">{game.day}</span> <span>{game.time}</span>
      </span>
      <span className="grid min-w-0 max-md:col-span-2 max-md:row-start-2">
        <span className="wrap-anywhere font-semibold">{game.title}</span>{" "}
        <span className="wrap-anywhere text-muted">{game.place}</span>
      </span>
      <span className="text-right tabular-nums max-md:row-start-3 max-md:text-left">
        <strong>{game.seats}</strong> <span className="text-sm text-muted">seats taken</span>
      </span>
      <span className="justify-self-end max-md:row-start-3">
        <Badge tone={game.statusTone}>{game.status}</Badge>
      </span>
    </Link>
  );
}

const rowClass =
  "grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2 rounded-card bg-surface p-4 shadow-card " +
  "hover:bg-sunken md:grid-cols-[12rem_1fr_9rem_7rem] md:rounded-none md:bg-transparent " +
  "md:shadow-none md:hover:bg-sunken focus-visible:-outline-offset-3";
