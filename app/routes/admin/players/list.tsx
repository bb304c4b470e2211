import { Form, Link, useNavigation } from "react-router";
import { searchPlayers } from "#app/features/players/search-players.server.ts";
import { pageOf } from "#app/routes/admin/page-of.ts";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { EmailText } from "#app/ui/email-text.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { Route } from "./+types/list";
import { AccountBadges } from "./player-header.tsx";
import { type PlayerRow, toPlayerRow } from "./player-view.ts";

const SHOWN = 50;
const SEARCH_MAX = 100;

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const words = (query.get("q") ?? "").slice(0, SEARCH_MAX);
  const after = query.get("after");
  const search = { words, after, limit: SHOWN };
  const { players, next } = await searchPlayers(context.get(appContext).db, search);
  return {
    players: players.map(toPlayerRow),
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

function SearchForm({ words }: { words: string }) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin/players" && formMethod === "GET";
  return (
    <Form
      method="get"
      action="/admin/players"
      role="search"
      // The back button must not leave another search's words over this list.
      key={words}
      className="flex items-end gap-3"
    >
      <TextField
        label="Name or email"
        type="search"
        name="q"
        defaultValue={words}
        maxLength={SEARCH_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        className="min-w-0 grow"
      />
      <Button pending={isPending} pendingLabel="Searching…" className="min-h-12">
        Search
      </Button>
    </Form>
  );
}

/** Cards on a phone and a table on a laptop. */
function PlayerRows({ players }: { players: PlayerRow[] }) {
  return (
    <ul className="grid gap-3 md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
      {players.map((player) => (
        <li key={player.id} className="md:border-t md:border-line md:first:border-t-0">
          <Link to={`/admin/players/${player.id}`} className={rowClass}>
            <Avatar src={player.profilePictureUrl} name={player.name} />
            <span className="grid min-w-0">
              <span className="wrap-anywhere font-semibold">{player.name}</span>{" "}
              <span className="wrap-anywhere text-sm text-muted">
                <EmailText>{player.email}</EmailText>
              </span>
            </span>
            <span className="flex flex-wrap gap-2 max-md:col-start-2 max-md:row-start-2">
              <AccountBadges player={player} />
            </span>
            <span className="text-right text-sm whitespace-nowrap tabular-nums">
              {player.balance}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const rowClass =
  "grid grid-cols-[auto_1fr_auto] items-center gap-x-4 gap-y-2 rounded-card bg-surface p-4 " +
  "shadow-card hover:bg-sunken md:grid-cols-[auto_1fr_auto_8rem] md:rounded-none md:bg-transparent " +
  "md:py-3 md:shadow-none md:hover:bg-sunken focus-visible:-outline-offset-3";
