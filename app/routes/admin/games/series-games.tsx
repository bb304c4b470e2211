import { Link } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { type SeriesGameWords, STATUS_TONES } from "./desk-words.ts";

/** All games of the series, this one among them. */
export function SeriesGames({ games, current }: { games: SeriesGameWords[]; current: string }) {
  if (games.length === 0) return null;
  return (
    <section aria-labelledby="series" className="grid gap-3">
      <h3 id="series" className="text-lg">
        Every week
      </h3>
      <ol className="overflow-hidden rounded-card bg-surface shadow-card">
        {games.map(({ id, day, seats, status }) => (
          <li key={id} className="border-t border-line first:border-t-0">
            <Link
              to={`/admin/games/${id}`}
              aria-current={id === current ? "page" : undefined}
              className="flex min-h-12 flex-wrap items-center gap-x-4 px-4 py-1 tabular-nums hover:bg-sunken focus-visible:-outline-offset-3 aria-[current=page]:font-bold"
            >
              <span className="grow">{day}</span>
              <span className="text-muted">{seats}</span>
              <Badge tone={STATUS_TONES[status]}>{status}</Badge>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
