import { type ReactNode, useId, useState } from "react";
import type { ChartView } from "./report.server.ts";

type Week = ChartView["weeks"][number];

// Bars by weeks, the second of two hatched. For screen readers it is one named image: the numbers
// are in the table below.
export function MetricChart({ title, series, weeks, top }: ChartView & { title: string }) {
  const hatching = useId();
  const fills = ["var(--info)", `url(#${hatching})`];
  const ticks = ticksUpTo(top ?? Math.max(...weeks.flatMap(({ values }) => values)));
  return (
    <div className="grid h-52 grid-rows-[1fr_auto] gap-2 text-sm text-muted">
      <div
        role="img"
        aria-label={`${title} by week, as bars`}
        className="grid min-h-0 grid-cols-[auto_1fr] grid-rows-[1fr_auto] gap-x-2 pt-2 tabular-nums"
      >
        <TickLabels ticks={ticks} />
        <Plot series={series} weeks={weeks} ticks={ticks} fills={fills}>
          <Hatching id={hatching} />
        </Plot>
        <DayLabels weeks={weeks} />
      </div>
      {series.length > 1 && <Legend series={series} fills={fills} />}
    </div>
  );
}

/** Whole numbers from 0 to the highest value or above it, in at most five equal steps. */
export function ticksUpTo(highest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(highest / 5));
  const sizes = [1, 2, 2.5, 5, 10].map((factor) => factor * power);
  const size = sizes.find((one) => Number.isInteger(one) && one * 5 >= highest) ?? 1;
  return Array.from({ length: Math.ceil(highest / size) + 1 }, (_, index) => index * size);
}

/** All numbers of an axis look alike: in thousands if it goes far. */
export function axisText(value: number, highest: number): string {
  return highest < 10_000 || value === 0 ? String(value) : `${value / 1_000}k`;
}

function TickLabels({ ticks }: { ticks: number[] }) {
  return (
    <ul className="flex flex-col-reverse justify-between">
      {ticks.map((tick) => (
        <li key={tick} className="flex h-0 items-center justify-end">
          {axisText(tick, ticks.at(-1)!)}
        </li>
      ))}
    </ul>
  );
}

type PlotProps = Omit<ChartView, "top"> & { ticks: number[]; fills: string[]; children: ReactNode };

// Drawn in per cent of its box, so that nothing is to be measured. The bars go on below it.
function Plot({ series, weeks, ticks, fills, children }: PlotProps) {
  const [shown, show] = useState<number | null>(null);
  const yOf = (value: number) => percent(1 - value / ticks.at(-1)!);
  const barWidth = 0.8 / series.length;
  const xOf = (week: number) => percent(week / weeks.length);
  return (
    <div className="relative border-b border-l border-edge" onMouseLeave={() => show(null)}>
      <svg className="absolute size-full">
        {children}
        {ticks.map((tick) => (
          <line key={tick} x2="100%" y1={yOf(tick)} y2={yOf(tick)} stroke="var(--line)" />
        ))}
        {weeks.map(({ values }, week) => (
          <g key={week} onMouseEnter={() => show(week)}>
            <rect
              {...{ x: xOf(week), width: xOf(1), height: "100%" }}
              fill={week === shown ? "var(--sunken)" : "transparent"}
            />
            {values.map((value, index) => (
              <rect
                key={index}
                {...{ x: xOf(week + 0.1 + index * barWidth), width: xOf(barWidth) }}
                {...{ y: yOf(value), height: value && "110%", rx: 3 }}
                fill={fills[index]}
                stroke="var(--info)"
              />
            ))}
          </g>
        ))}
      </svg>
      {shown !== null && (
        <Tooltip series={series} week={weeks[shown]!} isLeft={shown < weeks.length / 2} />
      )}
    </div>
  );
}

const percent = (share: number) => `${+(share * 100).toFixed(2)}%`;

// In the other half than its week, which it would cover.
function Tooltip({ series, week, isLeft }: { series: string[]; week: Week; isLeft: boolean }) {
  return (
    <div
      className={`pointer-events-none absolute top-0 rounded-card bg-ink px-3 py-2 text-canvas ${isLeft ? "right-0" : "left-0"}`}
    >
      <p className="font-bold">{week.day}</p>
      {series.map((label, index) => (
        <p key={label}>
          {label}: {week.texts[index]}
        </p>
      ))}
    </div>
  );
}

/** The last week's and some before it, as many as a phone has room for. */
function DayLabels({ weeks }: { weeks: Week[] }) {
  const every = Math.ceil(weeks.length / 5);
  return (
    <svg className="col-start-2 h-5 w-full overflow-visible">
      {weeks.map(
        ({ day }, week) =>
          (weeks.length - 1 - week) % every === 0 && (
            <text
              key={day}
              {...{ x: percent((week + 0.5) / weeks.length), y: 16, textAnchor: "middle" }}
              fill="currentColor"
            >
              {day}
            </text>
          ),
      )}
    </svg>
  );
}

function Hatching({ id }: { id: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse">
      <path d="M0 5 5 0" stroke="var(--info)" strokeWidth="1" />
    </pattern>
  );
}

function Legend({ series, fills }: { series: string[]; fills: string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4">
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
