/** A row of RFC 4180: cells quoted where they must be, ended by CRLF. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(quote).join(",")}\r\n`;
}

/**
 * Words that somebody else may have chosen. A spreadsheet takes a cell that begins like this for a
 * formula and would run it; after an apostrophe it stays text.
 */
export function csvText(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
