import { useId } from "react";
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import type { ChartView } from "./report.server.ts";

type MetricChartProps = ChartView & { title: string };

// Bars by weeks, the second of two hatched. For screen readers it is one named image: the numbers
// are in the table below.
export default function MetricChart({ title, series, weeks, top }: MetricChartProps) {
  const hatching = useId();
  const highest = Math.max(...weeks.flatMap(({ values }) => values));
  const fills = ["var(--info)", `url(#${hatching})`];
  return (
    <div className="grid h-52 grid-rows-[1fr_auto] gap-2 text-sm">
      <div role="img" aria-label={`${title} by week, as bars`} className="min-h-0">
        <BarChart data={weeks} responsive accessibilityLayer={false} {...FRAME}>
          <defs>
            <Hatching id={hatching} />
          </defs>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="day" {...AXIS} minTickGap={16} interval="preserveStartEnd" />
          <YAxis
            {...AXIS}
            width="auto"
            domain={[0, top ?? "auto"]}
            allowDecimals={false}
            tickFormatter={(value: number) => axisText(value, highest)}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--sunken)" }}
            content={({ active, payload }) =>
              active && payload[0] ? <TooltipBox series={series} week={payload[0].payload} /> : null
            }
          />
          {series.map((label, index) => (
            <Bar
              key={label}
              dataKey={({ values }: Week) => values[index]}
              name={label}
              fill={fills[index]!}
              stroke="var(--info)"
              radius={[3, 3, 0, 0]}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </div>
      {series.length > 1 && <Legend series={series} fills={fills} />}
    </div>
  );
}

type Week = ChartView["weeks"][number];

const FRAME = {
  style: { width: "100%", height: "100%" },
  margin: { top: 8, right: 4, bottom: 0, left: 0 },
  barCategoryGap: "20%",
  barGap: 1,
};

const AXIS = {
  tickLine: false,
  axisLine: { stroke: "var(--edge)" },
  tick: { fill: "var(--muted)", fontSize: 12 },
};

/** All numbers of an axis look alike: in thousands if it goes far. */
export function axisText(value: number, highest: number): string {
  return highest < 10_000 || value === 0 ? String(value) : `${value / 1_000}k`;
}

function Hatching({ id }: { id: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse">
      <path d="M0 5 5 0" stroke="var(--info)" strokeWidth="1" />
    </pattern>
  );
}

function TooltipBox({ series, week }: { series: string[]; week: Week }) {
  return (
    <div className="rounded-card bg-ink px-3 py-2 text-canvas tabular-nums">
      <p className="font-bold">{week.day}</p>
      {series.map((label, index) => (
        <p key={label}>
          {label}: {week.texts[index]}
        </p>
      ))}
    </div>
  );
}

function Legend({ series, fills }: { series: string[]; fills: string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 text-muted">
      {series.map((label, index) => (
        <li key={label} className="flex items-center gap-2">
          <svg aria-hidden viewBox="0 0 12 12" className="size-3">
            <rect x="0.5" y="0.5" width="11" height="11" fill={fills[index]} stroke="var(--info)" />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}
