import { searchPlayers } from "#app/features/players/search-players.server.ts";
import { ListPage, SearchForm, pagesOf } from "#app/routes/admin/list-page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { EmailText } from "#app/ui/email-text.tsx";
import type { Route } from "./+types/list";
import { AccountBadges } from "./player-header.tsx";
import { type PlayerRow, toPlayerRow } from "./player-view.ts";

const SHOWN = 50;
const SEARCH_MAX = 100;

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const words = (query.get("q") ?? "").slice(0, SEARCH_MAX);
  const search = { words, after: query.get("after"), limit: SHOWN };
  const { players, next } = await searchPlayers(context.get(appContext).db, search);
  return {
    players: players.map(toPlayerRow),
    words,
    pages: pagesOf("/admin/players", query, next),
  };
}

export const meta = metaOf({ title: "Players" });

export default function Players({ loaderData }: Route.ComponentProps) {
  const { players, words, pages } = loaderData;
  return (
    <ListPage
      title="Players"
      path="/admin/players"
      rows={players}
      toRow={(player) => <Player player={player} />}
      rowClass="grid-cols-[auto_1fr_auto] md:grid-cols-[auto_1fr_auto_8rem] md:py-3"
      empty={words ? `Nobody's name or email begins with “${words}”.` : "Nobody has signed up yet."}
      pages={pages}
    >
      <SearchForm path="/admin/players" label="Name or email" words={words} max={SEARCH_MAX} />
    </ListPage>
  );
}

function Player({ player }: { player: PlayerRow }) {
  return (
    <>
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
      <span className="text-right text-sm whitespace-nowrap tabular-nums">{player.balance}</span>
    </>
  );
}
