// Without it spreadsheets take the text for the code page of their machine.
const BYTE_ORDER_MARK = "\uFEFF";

/** A file of comma-separated values; what is made in pieces is sent as it is made. */
export function csvResponse(name: string, lines: string | AsyncGenerator<string>): Response {
  return new Response(typeof lines === "string" ? BYTE_ORDER_MARK + lines : streamOf(lines), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "private, no-store",
    },
  });
}

/** Reads on only as fast as the browser takes it in. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK));
    },
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

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
