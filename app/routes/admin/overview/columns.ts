import { numericFromCents } from "#app/platform/money.ts";
import { percent, whole } from "./number-words.ts";
import type { Column } from "./sheet.server.ts";

type Draws = { isDrawn: boolean };
/** It has bars in the chart. */
export const DRAWN: Draws = { isDrawn: true };
const LISTED: Draws = { isDrawn: false };

export function count<Row>(
  label: string,
  value: (row: Row) => number,
  { isDrawn } = LISTED,
): Column<Row> {
  const column = {
    label,
    text: (row: Row) => whole(value(row)),
    csv: (row: Row) => String(value(row)),
  };
  return isDrawn ? { ...column, bar: value } : column;
}

/** Cents in the given words; spreadsheets get them as "1234.50". */
export function money<Row>(
  label: string,
  cents: (row: Row) => number,
  words: (cents: number) => string,
  { isDrawn } = LISTED,
): Column<Row> {
  const column = {
    label,
    text: (row: Row) => words(cents(row)),
    csv: (row: Row) => numericFromCents(cents(row)),
  };
  return isDrawn ? { ...column, bar: (row) => cents(row) / 100 } : column;
}

/** A part of all in percent; of nothing there is none. */
export function share<Row>(label: string, parts: (row: Row) => [number, number]): Column<Row> {
  return {
    label,
    text: (row) => percent(...parts(row)),
    csv: (row) => {
      const [part, all] = parts(row);
      return all === 0 ? "" : String(Math.round((100 * part) / all));
    },
  };
}
