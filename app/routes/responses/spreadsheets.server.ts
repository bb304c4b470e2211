import { ReadableStream as WebStream } from "node:stream/web";
import { numericFromCents } from "#app/platform/money.ts";
import { withOwnTime } from "#app/platform/postgres/database-time.server.ts";

/** Rows come in pieces, of which one is in memory at a time. */
export interface Spreadsheet<Row> {
  columns: Column<Row>[];
  rows: AsyncIterable<Row[]> | Iterable<Row[]>;
}

/** From one declaration follow the .csv, for programs, and the .xlsx, for spreadsheets. */
export interface Column<Row> extends Look {
  header: string;
  csv: (row: Row) => string;
  xlsx: (row: Row) => string | number | null;
}

interface Look {
  /** In characters. */
  width: number;
  numFmt?: string;
}

// Null is an empty cell. Dates and times are texts by Helsinki's clock.
export const text = kind<string>(csvText, xlsxText, { width: 24 });
export const phone = kind<string>(csvPhone, xlsxText, { width: 20 });
export const json = kind<unknown>(csvJson, (value) => xlsxText(JSON.stringify(value)), {
  width: 24,
});
export const date = kind<string>(String, serial, { numFmt: "yyyy-mm-dd", width: 12 });
export const time = kind<string>(String, serial, { numFmt: "hh:mm:ss", width: 10 });
export const instant = kind<string>(String, serial, { numFmt: "yyyy-mm-dd hh:mm", width: 18 });
/** Takes anything counted in hundredths, such as cents. */
export const hundredths = kind<number>(numericFromCents, (cents) => cents / 100, {
  ...{ numFmt: "#,##0.00", width: 12 },
});
export const integer = kind<number>(String, Number, { numFmt: "0", width: 10 });

function kind<Value>(
  csv: (value: Value) => string,
  xlsx: (value: Value) => string | number,
  look: Look,
) {
  return <Row>(header: string, read: (row: Row) => Value | null): Column<Row> => {
    const filled = <Cell>(write: (value: Value) => Cell, empty: Cell) => {
      return (row: Row) => {
        const value = read(row);
        return value === null ? empty : write(value);
      };
    };
    return {
      header,
      ...look,
      csv: filled(csv, ""),
      xlsx: filled<string | number | null>(xlsx, null),
    };
  };
}

/** In the format that the address ends with. */
export function spreadsheetResponse<Row>(
  request: Request,
  name: string,
  spreadsheet: Spreadsheet<Row>,
): Response {
  const format = formatOf(request);
  return new Response(spreadsheetBytes(format, spreadsheet), {
    headers: {
      "Content-Type": TYPES[format],
      "Content-Disposition": `attachment; filename="${name}.${format}"`,
      "Cache-Control": "private, no-store",
    },
  });
}

type Format = "csv" | "xlsx";

const TYPES: Record<Format, string> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

export function formatOf(request: Request): Format {
  return new URL(request.url).pathname.endsWith(".xlsx") ? "xlsx" : "csv";
}

/** Made only as fast as it is read. */
export function spreadsheetBytes<Row>(format: Format, spreadsheet: Spreadsheet<Row>) {
  const timed = { ...spreadsheet, rows: withOwnTimes(spreadsheet.rows) };
  const bytes = format === "csv" ? csvBytes(timed) : xlsxBytes(timed);
  // The same class at run time; its types differ.
  return WebStream.from(bytes) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** A limit of the database's time for each part, not for the whole. */
async function* withOwnTimes<T>(source: Spreadsheet<T>["rows"]): AsyncGenerator<T[]> {
  const parts = (async function* () {
    yield* source;
  })();
  try {
    for (;;) {
      const { value, done } = await withOwnTime(() => parts.next());
      if (done) return;
      yield value;
    }
  } finally {
    await parts.return(undefined);
  }
}

// Without a BOM spreadsheets misread UTF-8.
const BYTE_ORDER_MARK = "\uFEFF";

async function* csvBytes<Row>({ columns, rows }: Spreadsheet<Row>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(BYTE_ORDER_MARK + csvRow(columns.map(({ header }) => header)));
  for await (const part of rows) {
    const lines = part.map((row) => csvRow(columns.map(({ csv }) => csv(row))));
    yield encoder.encode(lines.join(""));
  }
}

function csvRow(cells: readonly string[]): string {
  return `${cells.map(quote).join(",")}\r\n`;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const BEGINS_FORMULA = new Set("=+-@＝＋－＠");
// Whatever a spreadsheet may take for the end of a cell: in Finland that is a semicolon, and the
// quotes around a cell are not seen then.
const ENDS_CELL = new Set(",;|\t\r\n");
const SKIPPED = new Set(' "');

/** For untrusted text: the apostrophe keeps spreadsheets from running it as a formula. */
function csvText(text: string): string {
  let guarded = "";
  let mayBegin = true;
  for (const sign of text) {
    guarded += mayBegin && BEGINS_FORMULA.has(sign) ? `'${sign}` : sign;
    mayBegin = ENDS_CELL.has(sign) || (mayBegin && SKIPPED.has(sign));
  }
  return guarded;
}

/** Kept as typed, but with a space, without which spreadsheets take it for a number. */
function csvPhone(phone: string): string {
  if (!/^\+?[\d ()-]+$/.test(phone)) return csvText(phone);
  if (!/^\+?\d+$/.test(phone)) return phone;
  const code = phone.startsWith("+358") ? 4 : /^[+0]/.test(phone) ? 3 : 2;
  return phone.length > code ? `${phone.slice(0, code)} ${phone.slice(code)}` : phone;
}

/** Still the same JSON: a sign in one of its texts is escaped. */
function csvJson(value: unknown): string {
  let guarded = "";
  let [isInText, isEscaped, mayBegin] = [false, false, false];
  for (const sign of JSON.stringify(value)) {
    guarded += mayBegin && BEGINS_FORMULA.has(sign) ? escapeSign(sign) : sign;
    mayBegin =
      isInText && (ENDS_CELL.has(sign) || (mayBegin && (SKIPPED.has(sign) || sign === "\\")));
    if (sign === '"' && !isEscaped) isInText = !isInText;
    isEscaped = sign === "\\" && !isEscaped;
  }
  return guarded;
}

const escapeSign = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;

async function* xlsxBytes<Row>({ columns, rows }: Spreadsheet<Row>): AsyncGenerator<Uint8Array> {
  // Loading takes a tenth of a second.
  const { writeXlsxStream } = await import("hucre/xlsx");
  async function* cells() {
    for await (const part of rows) {
      for (const row of part) yield columns.map(({ xlsx }) => xlsx(row));
    }
  }
  const freezePane = { rows: 1 };
  yield* writeXlsxStream(cells(), { name: "Kickabout", columns, freezePane });
}

const XLSX_CELL_MAX = 32_767;

/** Without what XML cannot hold: LibreOffice shows that and all after it as empty. */
function xlsxText(text: string): string {
  const allowed = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
  return text.slice(0, XLSX_CELL_MAX).replace(allowed, "");
}

const DAY_MS = 86_400_000;
const DAY_ZERO = Date.UTC(1899, 11, 30);

/** The days since 1899 of "2026-11-21", "10:00:00" or "2026-11-21 10:00". */
function serial(text: string): number {
  const [first = "", second = "00:00"] = text.split(" ");
  const [day, clock] = first.includes(":") ? ["1899-12-30", first] : [first, second];
  return (Date.parse(`${day}T${clock}Z`) - DAY_ZERO) / DAY_MS;
}
