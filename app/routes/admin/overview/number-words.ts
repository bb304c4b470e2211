import { creditsText, numericFromCents } from "#app/platform/money.ts";

/** Nothing to divide by. */
const NONE = "–";
const grouped = new Intl.NumberFormat("en-US");

/** "12,345" */
export function whole(count: number): string {
  return grouped.format(count);
}

/** "1,234.50 €" */
export function euro(cents: number): string {
  return `${group(numericFromCents(cents))} €`;
}

/** "1,234" or "1,234.01" */
export function credits(cents: number): string {
  return group(creditsText(cents));
}

/** "83 %" */
export function percent(part: number, all: number): string {
  return all === 0 ? NONE : `${Math.round((100 * part) / all)} %`;
}

/** Of all the stars of so many reviews: "4.6" */
export function average(sum: number, count: number): string {
  return count === 0 ? NONE : (sum / count).toFixed(1);
}

export function sumOf<Row>(rows: Row[], value: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + value(row), 0);
}

function group(amount: string): string {
  const [whole = "", cents] = amount.split(".");
  const euros = grouped.format(Number(whole));
  return cents === undefined ? euros : `${euros}.${cents}`;
}
