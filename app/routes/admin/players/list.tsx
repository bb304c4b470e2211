import type { RawBuilder } from "kysely";
import { redirect } from "react-router";
import { countNoShowsOf, playersWithNoShows } from "#app/features/roster/no-shows.server.ts";
import { ADMINS, searchPlayers, SUSPENDED } from "#app/features/players/search-players.server.ts";
import { ChoiceField } from "#app/routes/admin/choice-field.tsx";
import { FilterForm, foundText, SearchField } from "#app/routes/admin/filter-form.tsx";
import { ListPage } from "#app/routes/admin/list-page.tsx";
import { listQuery } from "#app/routes/admin/list-query.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmailText } from "#app/ui/email-text.tsx";
import type { Route } from "./+types/list";
import { AccountBadges } from "./player-header.tsx";
import { type PlayerRow, toPlayerRow } from "./player-view.ts";

const PLAYERS_SHOWN = 50;
const SEARCH_MAX = 100;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { query, word, after, pages } = listQuery(request, "/admin/players");
  const words = word("q", SEARCH_MAX);
  const show: Show | "" = SHOWS.find(([value]) => value === query.get("show"))?.[0] ?? "";
  const among = show && AMONG[show](now());
  const search = { words, after, limit: PLAYERS_SHOWN, among: among || null };
  const { players, next } = await searchPlayers(db, search);
  // "Find a player" leads straight to an only match.
  if (query.has("find") && words && players.length === 1)
    throw redirect(`/admin/players/${players[0]!.id}`);
  const playerIds = players.map(({ id }) => id);
  const noShows = await countNoShowsOf(db, { playerIds, now: now() });
  return {
    players: players.map((player) => toPlayerRow(player, noShows.get(player.id) ?? 0)),
    filter: { words, show },
    pages: pages(next),
  };
}

const SHOWS = [
  ["suspended", "Suspended"],
  ["admins", "Admins"],
  ["no-shows", "No-shows (90 days)"],
] as const;
type Show = (typeof SHOWS)[number][0];

const AMONG: Record<Show, (now: Date) => RawBuilder<unknown>> = {
  suspended: () => SUSPENDED,
  admins: () => ADMINS,
  "no-shows": playersWithNoShows,
};

export const meta = metaOf({ title: "Players" });

export default function Players({ loaderData }: Route.ComponentProps) {
  const { players, filter, pages } = loaderData;
  return (
    <ListPage
      title="Players"
      path="/admin/players"
      aside={<ButtonLink to="/admin/players/announcements">Tell everybody</ButtonLink>}
      rows={players}
      toRow={(player) => <Player player={player} />}
      rowClass="grid-cols-[auto_1fr_auto] md:grid-cols-[auto_1fr_auto_8rem] md:py-3"
      empty={emptyText(filter)}
      pages={pages}
    >
      <FilterForm
        path="/admin/players"
        found={foundText(players.length, pages)}
        role="search"
        submit="Search"
        pendingLabel="Searching…"
        className="grid grid-cols-2 gap-3 md:grid-cols-[1fr_14rem_auto] md:items-end"
      >
        <SearchField
          label="Name or email"
          words={filter.words}
          max={SEARCH_MAX}
          className="max-md:col-span-2"
        />
        <ChoiceField
          label="Show"
          name="show"
          defaultValue={filter.show}
          none="All players"
          choices={SHOWS}
          className="max-md:col-span-2"
        />
      </FilterForm>
    </ListPage>
  );
}

const NOBODY: Record<Show, string> = {
  suspended: "Nobody is suspended.",
  admins: "Nobody is an admin.",
  "no-shows": "No no-shows in the last 90 days.",
};

function emptyText({ words, show }: { words: string; show: Show | "" }): string {
  if (words) return `Nobody's name or email ${show ? "here " : ""}begins with “${words}”.`;
  return show ? NOBODY[show] : "Nobody has signed up yet.";
}

function Player({ player }: { player: PlayerRow }) {
  return (
    <>
      <Avatar src={player.profilePictureUrl} name={player.name} />
      <span className="grid min-w-0">
        <span translate="no" className="wrap-anywhere font-semibold">
          {player.name}
        </span>{" "}
        <span translate="no" className="wrap-anywhere text-sm text-muted">
          <EmailText>{player.email}</EmailText>
        </span>
      </span>
      <span className="flex flex-wrap gap-2 empty:hidden max-md:col-span-2 max-md:col-start-2 max-md:row-start-2">
        <AccountBadges player={player} />
      </span>
      <span className="text-right text-sm whitespace-nowrap tabular-nums md:col-start-4">
        {player.balance}
      </span>
    </>
  );
}
