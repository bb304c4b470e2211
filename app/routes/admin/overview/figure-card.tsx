import { Badge } from "#app/ui/badge.tsx";
import { ChevronDown } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { FigurePicture } from "./figure-picture.tsx";
import type { FigureWords } from "./sheet.server.ts";
import { WeekTable } from "./week-table.tsx";

interface FigureCardProps {
  id: string;
  figure: FigureWords & { csvPath: string };
  /** A venue was chosen, which this figure knows nothing of. */
  isEveryVenue: boolean;
}

/** A figure: what it comes to, drawn by weeks, and the numbers below. */
export function FigureCard({ id, figure, isEveryVenue }: FigureCardProps) {
  const { title, about, found, csvPath } = figure;
  const isComing = found === null;
  return (
    <article
      aria-labelledby={id}
      className="grid grid-cols-1 gap-4 rounded-card bg-surface p-4 shadow-card"
    >
      <div className="grid gap-1">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 id={id} className="text-base">
            {title}
          </h3>
          {isComing && <Badge>Coming soon</Badge>}
          {!isComing && isEveryVenue && <Badge tone="sky">All venues</Badge>}
        </div>
        {found && (
          <p className="tabular-nums">
            <strong className="block text-xl">{found.headline}</strong>{" "}
            <span className="text-muted">{found.note}</span>
          </p>
        )}
        <p className="text-sm text-muted">{about}</p>
      </div>
      {found && <FigurePicture title={title} chart={found.chart} />}
      {found && <Numbers title={title} found={found} csvPath={csvPath} />}
    </article>
  );
}

type NumbersProps = { title: string; found: NonNullable<FigureWords["found"]>; csvPath: string };

/** Folded away beside a chart; open where no script draws one. */
function Numbers({ title, found, csvPath }: NumbersProps) {
  const hydrated = useHydrated();
  return (
    <details open={!hydrated} className="group border-t border-line pt-2">
      <summary className="flex min-h-11 items-center justify-between gap-3 font-semibold">
        <span>
          Numbers by week<span className="sr-only">, {title}</span>
        </span>
        <ChevronDown className="size-5 text-muted group-open:rotate-180" />
      </summary>
      {/* Until then the server's open one would jump shut where scripts run. */}
      <div className={hydrated ? undefined : "[@media(scripting:enabled)]:hidden"}>
        <WeekTable title={title} columns={found.columns} weeks={found.weeks} />
        <a href={csvPath} download className="link inline-flex min-h-11 items-center">
          Download as CSV<span className="sr-only">: {title}</span>
        </a>
      </div>
    </details>
  );
}
