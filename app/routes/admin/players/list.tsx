import { searchPlayers } from "#app/features/players/search-players.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { pageOf } from "#app/routes/admin/page-of.ts";
import type { Route } from "./+types/list";
import { PlayerRows } from "./player-rows.tsx";
import { showFound } from "./player-words.ts";
import { SearchForm } from "./search-form.tsx";

const SHOWN = 50;
const WORDS_MAX = 100;

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const words = (query.get("q") ?? "").slice(0, WORDS_MAX);
  const after = query.get("after");
  const search = { words, after, limit: SHOWN };
  const { players, next } = await searchPlayers(context.get(appContext).db, search);
  return {
    players: players.map(showFound),
    words,
    first: after ? pageOf("/admin/players", query, null) : null,
    next: next && pageOf("/admin/players", query, next),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Players" });

export default function Players({ loaderData }: Route.ComponentProps) {
  const { players, words, first, next } = loaderData;
  return (
    <section aria-labelledby="players" className="grid gap-4">
      <h2 id="players" className="text-lg">
        Players
      </h2>
      <SearchForm words={words} />
      {players.length > 0 ? (
        <PlayerRows players={players} />
      ) : (
        <EmptyState>
          {words ? `Nobody's name or email begins with “${words}”.` : "Nobody has signed up yet."}
        </EmptyState>
      )}
      <Pager label="Pages of players" first={first} next={next} />
    </section>
  );
}
