import { monthDay } from "#app/platform/clock.ts";
import { type Span, weeksUntil } from "#app/platform/date-ranges.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import {
  date,
  hundredths,
  integer,
  type Spreadsheet,
  text,
} from "#app/routes/responses/spreadsheets.server.ts";

export const PERIODS = [4, 12, 52] as const;
const DEFAULT_PERIOD = 12;

interface ReportFilter {
  weeks: number;
  venueId: string | null;
}

interface ReportQuery {
  weeks: Span[];
  venueId: string | null;
  now: Date;
}

/** From the URL; ignores other numbers of weeks and unknown venues. */
export function parseFilter(query: URLSearchParams, venues: { id: string }[]): ReportFilter {
  const weeks = PERIODS.find((period) => String(period) === query.get("weeks")) ?? DEFAULT_PERIOD;
  const venueId = query.get("venue");
  return { weeks, venueId: venues.find(({ id }) => id === venueId)?.id ?? null };
}

export function toQuery({ weeks, venueId }: ReportFilter, now: Date): ReportQuery {
  return { weeks: weeksUntil(now, weeks), venueId, now };
}

export function filePaths(key: string, { weeks, venueId }: ReportFilter) {
  const query = new URLSearchParams();
  if (weeks !== DEFAULT_PERIOD) query.set("weeks", String(weeks));
  if (venueId) query.set("venue", venueId);
  const search = query.size > 0 ? `?${query}` : "";
  const path = `/admin/overview/${key}`;
  return { xlsx: `${path}.xlsx${search}`, csv: `${path}.csv${search}` };
}

export interface Metric<Row, Found = Row[]> {
  title: string;
  about: string;
  isByVenue: boolean;
  /** The top of the chart's scale, whatever the values. */
  top?: number;
  columns: Column<Row>[];
  read(db: Db, query: ReportQuery): Promise<Found | null>;
  rows(found: Found): Row[];
  summary(found: Found): { headline: string; note: string };
}

interface Column<Row> {
  /** On the page alone, or in the file alone; without it in both. */
  only?: "page" | "file";
  label: string;
  value: (row: Row) => number;
  text: (row: Row) => string;
  kind: typeof integer;
  cell: (row: Row) => number | null;
  isDrawn?: boolean;
}

export type Report = ReturnType<typeof reportOf>;
export type ReportView = Awaited<ReturnType<Report["view"]>>;
export type ChartView = NonNullable<NonNullable<ReportView["found"]>["chart"]>;

export function reportOf<Row, Found>(metric: Metric<Row, Found>) {
  const { title, about, isByVenue } = metric;
  const read = (db: Db, query: ReportQuery) =>
    metric.read(db, isByVenue ? query : { ...query, venueId: null });
  return {
    /** For the page, which shows "coming soon" if nothing was found. */
    async view(db: Db, query: ReportQuery) {
      const found = await read(db, query);
      if (found === null) return { title, about, isByVenue, found: null };
      const weeks = toWeeksView(metric, metric.rows(found), query);
      return { title, about, isByVenue, found: { ...metric.summary(found), ...weeks } };
    },
    async spreadsheet(db: Db, query: ReportQuery, venueName: string | null) {
      const found = await read(db, query);
      return toSpreadsheet(metric, found === null ? [] : metric.rows(found), query, venueName);
    },
  };
}

type Columns<Row> = Pick<Metric<Row, never>, "columns" | "top" | "isByVenue">;

function toWeeksView<Row>({ columns, top }: Columns<Row>, rows: Row[], query: ReportQuery) {
  const shown = columns.filter(({ only }) => only !== "file");
  const days = query.weeks.map(({ from }) => monthDay(from));
  const weeks = rows.map((row, index) => ({
    day: days[index]!,
    cells: shown.map(({ text }) => text(row)),
  }));
  const bars = columns.filter(({ isDrawn }) => isDrawn);
  const series = bars.map(({ label }) => label);
  const drawnWeeks = rows.map((row, index) => ({
    day: days[index]!,
    values: bars.map(({ value }) => value(row)),
    texts: bars.map(({ text }) => text(row)),
  }));
  const isBlank = drawnWeeks.every(({ values }) => values.every((value) => value === 0));
  return {
    columns: shown.map(({ label }) => label),
    weeks: weeks.toReversed(),
    chart: isBlank ? null : { top: top ?? null, series, weeks: drawnWeeks },
  };
}

function toSpreadsheet<Row>(
  { columns, isByVenue }: Columns<Row>,
  rows: Row[],
  { weeks }: ReportQuery,
  venueName: string | null,
): Spreadsheet<number> {
  const filed = columns.filter(({ only }) => only !== "page");
  const venue = isByVenue ? [text("Venue", () => venueName ?? "All venues")] : [];
  return {
    columns: [
      date("Week from", (week) => weeks[week]!.from),
      ...venue,
      ...filed.map(({ label, kind, cell }) => kind(label, (week: number) => cell(rows[week]!))),
    ],
    rows: [[...rows.keys()].toReversed()],
  };
}

export function count<Row>(label: string, value: (row: Row) => number): Column<Row> {
  return { label, value, text: (row) => whole(value(row)), kind: integer, cell: value };
}

/** `text` is `euros` or `credits`. */
export function money<Row>(
  label: string,
  cents: (row: Row) => number,
  text: (cents: number) => string,
): Column<Row> {
  return {
    label,
    value: (row) => cents(row) / 100,
    text: (row) => text(cents(row)),
    kind: hundredths,
    cell: cents,
  };
}

export function share<Row>(label: string, partOf: (row: Row) => [number, number]): Column<Row> {
  const value = (row: Row) => {
    const [part, all] = partOf(row);
    return all === 0 ? 0 : Math.round((100 * part) / all);
  };
  const cell = (row: Row) => (partOf(row)[1] === 0 ? null : value(row));
  return { label, value, text: (row) => percent(...partOf(row)), kind: integer, cell };
}

export function drawn<Row>(column: Column<Row>): Column<Row> {
  return { ...column, isDrawn: true };
}

const NOTHING = "–";
const grouped = new Intl.NumberFormat("en-US");
const withCents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 });

export function whole(number: number): string {
  return grouped.format(number);
}

/** "1,234" or "1,234.01" */
export function credits(cents: number): string {
  return cents % 100 === 0 ? whole(cents / 100) : withCents.format(cents / 100);
}

export function percent(part: number, all: number): string {
  return all === 0 ? NOTHING : `${Math.round((100 * part) / all)} %`;
}

export function average(stars: number, reviews: number): string {
  return reviews === 0 ? NOTHING : (stars / reviews).toFixed(1);
}

export function sumOf<Row>(rows: Row[], value: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + value(row), 0);
}
