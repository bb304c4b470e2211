import { monthDay } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { type Span, weeksUntil } from "#app/platform/date-ranges.server.ts";
import { csvRow, csvText } from "#app/routes/csv.server.ts";
import type { Filter } from "./question.ts";

export interface Question extends Filter {
  spans: Span[];
  now: Date;
}

/** One column of a figure's numbers. */
export interface Column<Row> {
  label: string;
  /** As read on screen. */
  text: (row: Row) => string;
  /** As a spreadsheet reads it, where that differs. */
  csv?: (row: Row) => string;
  /** Its height, where it is drawn. */
  bar?: (row: Row) => number;
}

export interface Sheet<Row> {
  title: string;
  /** What is counted. */
  about: string;
  isByVenue: boolean;
  /** Where the scale of the chart ends, whatever the values. */
  top?: number;
  columns: Column<Row>[];
  /** A row for each week; null while there is no data behind it. */
  read: (
    db: Db,
    question: { weeks: Span[]; venueId: string | null; now: Date },
  ) => Promise<{ headline: string; note: string; rows: Row[] } | null>;
}

/** A figure in words, as the page shows it; without `found` it is coming soon. */
export interface FigureWords {
  title: string;
  about: string;
  isByVenue: boolean;
  found: {
    headline: string;
    note: string;
    columns: string[];
    /** The newest week first. */
    weeks: { day: string; cells: string[] }[];
    chart: ChartWords | null;
  } | null;
}

/** What is drawn, from the oldest week on. */
export interface ChartWords {
  top: number | null;
  series: string[];
  weeks: { day: string; values: number[]; texts: string[] }[];
}

export interface Figure {
  show(db: Db, question: Question): Promise<FigureWords>;
  /** Its numbers as CSV, the newest week first. */
  csv(db: Db, question: Question, venueName: string | null): Promise<string>;
}

export function askedAt(filter: Filter, now: Date): Question {
  return { ...filter, spans: weeksUntil(now, filter.weeks), now };
}

export function figureOf<Row>(sheet: Sheet<Row>): Figure {
  return {
    show: (db, question) => show(sheet, db, question),
    csv: (db, question, venueName) => writeCsv(sheet, db, question, venueName),
  };
}

async function show<Row>(sheet: Sheet<Row>, db: Db, question: Question): Promise<FigureWords> {
  const { title, about, isByVenue, columns, top = null } = sheet;
  const answer = await read(sheet, db, question);
  if (!answer) return { title, about, isByVenue, found: null };
  const { headline, note, rows } = answer;
  const days = question.spans.map(({ from }) => monthDay(from));
  const weeks = rows.map((row, index) => ({
    day: days[index]!,
    cells: columns.map(({ text }) => text(row)),
  }));
  const drawn = columns.filter((column) => column.bar);
  const bars = rows.map((row, index) => ({
    day: days[index]!,
    values: drawn.map(({ bar }) => bar!(row)),
    texts: drawn.map(({ text }) => text(row)),
  }));
  const isBlank = bars.every(({ values }) => values.every((value) => value === 0));
  const chart = isBlank ? null : { top, series: drawn.map(({ label }) => label), weeks: bars };
  const labels = columns.map(({ label }) => label);
  const found = { headline, note, columns: labels, weeks: weeks.toReversed(), chart };
  return { title, about, isByVenue, found };
}

async function writeCsv<Row>(
  sheet: Sheet<Row>,
  db: Db,
  question: Question,
  venueName: string | null,
): Promise<string> {
  const { columns, isByVenue } = sheet;
  const place = isByVenue ? [csvText(venueName ?? "All venues")] : [];
  const labels = ["Week from", ...(isByVenue ? ["Venue"] : []), ...columns.map((c) => c.label)];
  const answer = await read(sheet, db, question);
  const lines = (answer?.rows ?? []).map((row, index) => {
    const cells = columns.map(({ text, csv = text }) => csv(row));
    return csvRow([question.spans[index]!.from, ...place, ...cells]);
  });
  return csvRow(labels) + lines.toReversed().join("");
}

function read<Row>({ read: ask, isByVenue }: Sheet<Row>, db: Db, question: Question) {
  const { spans: weeks, venueId, now } = question;
  return ask(db, { weeks, venueId: isByVenue ? venueId : null, now });
}
