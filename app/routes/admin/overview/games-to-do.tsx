import { Link } from "react-router";
import { Part } from "#app/routes/admin/page.tsx";
import { LoadFailed } from "#app/routes/load-failure.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ChevronRight } from "#app/ui/icon.tsx";
import type { ToDo } from "#app/routes/admin/to-do.server.ts";
import type { TodaysGameView, UnreadChatsView } from "./today.server.ts";

export function TodaysGames({ title, games }: { title: string; games: TodaysGameView[] }) {
  return (
    <Part title={title}>
      <ul className={listClass}>
        {games.map((game) => (
          <li key={game.id}>
            <Link to={`/admin/games/${game.id}`} className={rowClass}>
              <span className="grid min-w-0 grow">
                <span className="font-bold tabular-nums">
                  {game.day && `${game.day}, `}
                  {game.time}
                </span>{" "}
                <span className="text-sm wrap-anywhere text-muted">
                  {game.venueName}, {game.title}
                </span>
              </span>{" "}
              <span className="grid shrink-0 justify-items-end text-sm tabular-nums">
                <span>
                  <strong className="text-base">{game.seats}</strong>{" "}
                  <span className="text-muted">in</span>
                </span>{" "}
                {game.checkedIn && <span className="text-muted">{game.checkedIn}</span>}
              </span>
              <ChevronRight className="size-5 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Per organiser: what one of them has read may be new to another. */
export function UnreadChats({ unread }: { unread: UnreadChatsView }) {
  return (
    <Part title="Chats">
      <ul className={listClass}>
        {unread.chats.map(({ gameId, when, place, unread: text }) => (
          <li key={gameId}>
            <Link to={`/events/${gameId}/chat#latest`} className={rowClass}>
              <span className="grid min-w-0 grow">
                <span className="font-bold tabular-nums">{when}</span>{" "}
                <span className="text-sm wrap-anywhere text-muted">{place}</span>
              </span>{" "}
              <Badge tone="sky">{text}</Badge>
              <ChevronRight className="size-5 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
      {unread.more && <p className="text-muted tabular-nums">{unread.more}</p>}
    </Part>
  );
}

export function ToDoList({ toDo }: { toDo: ToDo | null }) {
  if (!toDo) {
    return (
      <Part title="To do">
        <LoadFailed>What is to be done could not be counted now.</LoadFailed>
      </Part>
    );
  }
  const { count, countText, games, entries } = toDo;
  if (count === 0) {
    return (
      <Part title="To do">
        <p className="text-muted">Nothing is due.</p>
      </Part>
    );
  }
  return (
    <Part title="To do" aside={<Badge tone="red">{countText}</Badge>}>
      <ul className={listClass}>
        {games && (
          <li>
            <UnfinishedGames games={games} />
          </li>
        )}
        {entries.map(({ text, detail, to }) => (
          <li key={to}>
            <Link to={to} className={rowClass}>
              <span className="grow">
                <span className="font-semibold tabular-nums">{text}</span>{" "}
                {detail && (
                  <span className="text-sm text-muted tabular-nums max-md:block">{detail}</span>
                )}
              </span>
              <ChevronRight className="size-5 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function UnfinishedGames({ games }: { games: NonNullable<ToDo["games"]> }) {
  return (
    <>
      <p className="px-4 pt-3 font-semibold tabular-nums">{games.text}</p>
      <ul>
        {games.list.map((game) => (
          <li key={game.id}>
            <Link to={`/admin/games/${game.id}`} className={rowClass}>
              <span className="grid min-w-0 grow md:grid-cols-[11rem_1fr_auto] md:gap-x-4">
                <span className="tabular-nums">{game.when}</span>{" "}
                <span className="text-sm wrap-anywhere text-muted md:text-base">{game.place}</span>{" "}
                <span className="text-sm font-semibold text-warn tabular-nums">{game.lacks}</span>
              </span>
              <ChevronRight className="size-5 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-x-6 px-4 pb-1">
        {games.links.map(({ text, to }) => (
          <Link key={to} to={to} className="link inline-flex min-h-11 items-center tabular-nums">
            {text}
          </Link>
        ))}
      </p>
    </>
  );
}

const listClass = "divide-y divide-line rounded-card bg-surface shadow-card";
const rowClass =
  "flex min-h-14 items-center gap-4 px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-3";
