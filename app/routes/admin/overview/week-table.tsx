interface WeekTableProps {
  title: string;
  columns: string[];
  weeks: { day: string; cells: string[] }[];
}

/** A figure's numbers, the newest week first. */
export function WeekTable({ title, columns, weeks }: WeekTableProps) {
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
