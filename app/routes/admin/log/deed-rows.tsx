import { Link } from "react-router";
import type { Change } from "./changes.ts";
import type { DeedWords } from "./deed-words.ts";

/** The deeds, newest first: who did what to what, when, and what was different afterwards. */
export function DeedRows({ deeds }: { deeds: DeedWords[] }) {
  return (
    <ol className="divide-y divide-line rounded-card bg-surface shadow-card">
      {deeds.map((deed) => (
        <li key={deed.id} className="grid gap-x-6 gap-y-2 p-4 md:grid-cols-[1fr_1.2fr]">
          <Deed deed={deed} />
          {deed.changes.length > 0 && <Changes changes={deed.changes} />}
        </li>
      ))}
    </ol>
  );
}

function Deed({ deed }: { deed: DeedWords }) {
  const { who, what, when, subject, subjectName, page } = deed;
  return (
    <div className="min-w-0">
      <p className="[overflow-wrap:anywhere]">
        <strong>{who}</strong> {what}
      </p>
      <p className="flex flex-wrap items-center gap-x-4 [overflow-wrap:anywhere]">
        {page ? (
          <Link to={page} className={linkClass}>
            {subjectName}
          </Link>
        ) : (
          <span>{subjectName}</span>
        )}
        <Link to={`/admin/log?subject=${encodeURIComponent(subject)}`} className={linkClass}>
          Its log<span className="sr-only"> of {subjectName}</span>
        </Link>
      </p>
      <p className="text-sm text-muted tabular-nums">{when}</p>
    </div>
  );
}

function Changes({ changes }: { changes: Change[] }) {
  return (
    <dl className="grid min-w-0 content-start gap-1 text-sm">
      {changes.map(({ name, before, after }) => (
        <div key={name} className="grid grid-cols-[7rem_1fr] gap-x-2">
          <dt className="text-muted">{name}</dt>
          <dd className="max-h-48 min-w-0 overflow-y-auto [overflow-wrap:anywhere] whitespace-pre-line">
            {before !== null && <del className="text-muted">{before}</del>}
            {before !== null && " → "}
            {after === null ? <em>nothing</em> : <ins className="no-underline">{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const linkClass = "link inline-flex min-h-11 min-w-11 items-center text-sm";
