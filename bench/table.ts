/** The middle one, so that one disturbed round does not speak for all. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** Rows under their headings, columns as wide as their widest cell. */
export function printTable(title: string, rows: Record<string, string | number>[]): void {
  console.log(`\n${title}`);
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  for (const line of lines) {
    const [first = "", ...rest] = line.map((text, column) =>
      column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!),
    );
    console.log(`  ${[first, ...rest].join("   ")}`);
  }
}

function cell(value: string | number | undefined): string {
  if (typeof value !== "number") return value ?? "";
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}
