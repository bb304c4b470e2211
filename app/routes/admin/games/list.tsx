import { parseAdminGameFilter } from "#app/features/games/filters.ts";
import { listAdminGames } from "#app/features/games/admin-games.server.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Plus } from "#app/ui/icon.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { pageOf } from "#app/routes/admin/page-of.ts";
import type { Route } from "./+types/list";
import { showDeskGame } from "./desk-words.ts";
import { GameRows } from "./game-rows.tsx";
import { ListFilter } from "./list-filter.tsx";

const SHOWN = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const filter = parseAdminGameFilter(query);
  const after = query.get("after");
  const [{ games, next }, venues] = await Promise.all([
    listAdminGames(db, { filter, now: now(), after, limit: SHOWN }),
    listVenueNames(db),
  ]);
  return {
    games: games.map(showDeskGame),
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
        <GameRows games={games} />
      ) : (
        <EmptyState>
          {isNarrowed || filter.when !== "to-come"
            ? "No games match this filter."
            : "No games to come. Create the next one."}
        </EmptyState>
      )}
      <Pager label="Pages of games" first={first} next={next} />
    </section>
  );
}
