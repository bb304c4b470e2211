import { Link } from "react-router";

interface GameRowsProps {
  games: Record<"id" | "title" | "day" | "notes", string>[];
}

export function GameRows({ games }: GameRowsProps) {
  return (
    <ul className="overflow-hidden rounded-card bg-surface shadow-card">
      {games.map(({ id, title, day, notes }) => (
        <li key={id} className="border-t border-line first:border-t-0">
          <Link
            to={`/admin/games/${id}`}
            className="grid min-h-12 grid-cols-[1fr_auto] items-center gap-x-4 px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-3 md:grid-cols-[auto_1fr_auto]"
          >
            <span className="col-span-full font-semibold tabular-nums md:col-span-1">{day}</span>
            <span className="min-w-0 wrap-anywhere">{title}</span>
            <span className="text-muted tabular-nums">{notes}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
