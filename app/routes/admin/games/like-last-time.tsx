import { Link } from "react-router";
import { ChevronDown } from "#app/ui/icon.tsx";

interface LikeLastTimeProps {
  venues: { id: string; name: string; hasGame: boolean }[];
  /** What the form is filled from, in words. */
  filledFrom: string;
}

/** The form filled from the last game of another venue with one tap. */
export function LikeLastTime({ venues, filledFrom }: LikeLastTimeProps) {
  const known = venues.filter(({ hasGame }) => hasGame);
  if (known.length === 0) return null;
  return (
    <details className="group rounded-card bg-surface px-4 shadow-card">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 py-2">
        <span>
          <strong>{filledFrom}</strong> <span className="text-muted">Change</span>
        </span>
        <ChevronDown className="size-5 shrink-0 text-muted group-open:rotate-180" />
      </summary>
      <ul className="grid pb-2">
        {known.map(({ id, name }) => (
          <li key={id}>
            <Link
              to={`/admin/games/new?venue=${id}`}
              className="flex min-h-11 items-center underline"
            >
              Like last time at {name}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
