import { Badge } from "#app/ui/badge.tsx";
import { ChevronDown } from "#app/ui/icon.tsx";
import { FileLinks } from "#app/ui/file-links.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { MetricChart } from "./metric-chart.tsx";
import type { filePaths, ReportView } from "./report.server.ts";

interface MetricCardProps {
  id: string;
  report: ReportView & { files: Files };
  /** A venue was chosen, but this metric is not counted by venue. */
  isEveryVenue: boolean;
}

export function MetricCard({ id, report, isEveryVenue }: MetricCardProps) {
  const { title, about, found, files } = report;
  const isComing = found === null;
  return (
    <article
      aria-labelledby={id}
      className="grid grid-cols-1 content-start gap-4 rounded-card bg-surface p-4 shadow-card"
    >
      <div className="grid gap-1">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h4 id={id} className="text-base">
            {title}
          </h4>
          {isComing && <Badge>Coming soon</Badge>}
          {!isComing && isEveryVenue && <Badge tone="sky">All venues</Badge>}
        </div>
        {found && (
          <p className="tabular-nums">
            <strong className="block text-xl">{found.headline}</strong>{" "}
            <span className="text-muted">{found.note}</span>
          </p>
        )}
        <p className="text-sm text-muted">
          {about}
          {isComing && " It appears here with the first of them."}
        </p>
      </div>
      {found?.chart && <MetricChart title={title} {...found.chart} />}
      {found && !found.chart && (
        <p className="rounded-card bg-sunken p-4 text-muted">Nothing in these weeks.</p>
      )}
      {found && <Numbers title={title} found={found} files={files} />}
    </article>
  );
}

type Files = ReturnType<typeof filePaths>;
type NumbersProps = { title: string; found: NonNullable<ReportView["found"]>; files: Files };

/** Collapsed below a chart; open without scripts, which name a bar's numbers under the pointer. */
function Numbers({ title, found, files }: NumbersProps) {
  const hydrated = useHydrated();
  return (
    <details open={!hydrated} className="group border-t border-line pt-2">
      <summary className="flex min-h-11 items-center justify-between gap-3 font-semibold">
        <span>
          Numbers by week<span className="sr-only">, {title}</span>
        </span>
        <ChevronDown className="size-5 text-muted group-open:rotate-180" />
      </summary>
      {/* Hidden where scripts run, or the open one would visibly collapse when hydrated. */}
      <div className={hydrated ? undefined : "[@media(scripting:enabled)]:hidden"}>
        <WeekTable title={title} found={found} />
        <p className="flex items-center gap-4">
          <span aria-hidden>Download as</span>
          <FileLinks
            files={files}
            name={title}
            className="link inline-flex min-h-11 items-center"
          />
        </p>
      </div>
    </details>
  );
}

type WeekTableProps = Omit<NumbersProps, "files">;

function WeekTable({ title, found: { columns, weeks } }: WeekTableProps) {
  return (
    <table className="w-full text-sm tabular-nums">
      <caption className="sr-only">{title} by week</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-2 text-left font-semibold">
            Week from
          </th>
          {columns.map((label) => (
            <th key={label} scope="col" className="py-2 pl-3 text-right font-semibold">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map(({ day, cells }, row) => (
          <tr key={row} className="border-b border-line last:border-b-0">
            <th scope="row" className="py-2 text-left font-normal whitespace-nowrap">
              {day}
            </th>
            {cells.map((cell, column) => (
              <td key={column} className="py-2 pl-3 text-right">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
