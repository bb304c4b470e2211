import { Link } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { KINDS, type RowWords } from "./letter-words.ts";

/** The letters as cards on a phone and as a table on a laptop; a whole row leads to its letter. */
export function InboxRows({ letters }: { letters: RowWords[] }) {
  return (
    <ul className="grid gap-3 md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
      {letters.map((letter) => (
        <li key={letter.id} className="min-w-0 md:border-t md:border-line md:first:border-t-0">
          <Row letter={letter} />
        </li>
      ))}
    </ul>
  );
}

function Row({ letter }: { letter: RowWords }) {
  const { one, tone } = KINDS[letter.kind];
  return (
    <Link to={`/admin/inbox/${letter.id}`} className={rowClass}>
      <span className="flex flex-wrap items-start gap-2">
        <Badge tone={tone}>{one}</Badge>{" "}
        {letter.state && <Badge tone={letter.state.tone}>{letter.state.name}</Badge>}
      </span>{" "}
      <span className="grid min-w-0 gap-0.5">
        <span className="font-semibold [overflow-wrap:anywhere]">{letter.title}</span>{" "}
        {letter.text && <span className="line-clamp-2 text-muted">{letter.text}</span>}
      </span>{" "}
      <span className="text-sm text-muted md:text-right">
        <span className="block wrap-anywhere font-semibold text-ink">{letter.name}</span>{" "}
        <span className="tabular-nums">{letter.when}</span>
      </span>
    </Link>
  );
}

const rowClass =
  "grid gap-x-4 gap-y-2 rounded-card bg-surface p-4 shadow-card hover:bg-sunken " +
  "md:grid-cols-[13rem_1fr_11rem] md:rounded-none md:bg-transparent md:shadow-none " +
  "md:hover:bg-sunken focus-visible:-outline-offset-3";
