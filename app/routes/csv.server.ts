import { withOwnTime } from "#app/platform/postgres/database-time.server.ts";

// Without a BOM spreadsheets misread UTF-8.
const BYTE_ORDER_MARK = "\uFEFF";

export function csvResponse(name: string, lines: string | AsyncGenerator<string>): Response {
  return new Response(typeof lines === "string" ? BYTE_ORDER_MARK + lines : streamOf(lines), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "private, no-store",
    },
  });
}

/** Pulls lines only as fast as the browser reads. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK));
    },
    async pull(controller) {
      const { value, done } = await withOwnTime(() => lines.next());
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

export function csvRow(cells: readonly string[]): string {
  return `${cells.map(quote).join(",")}\r\n`;
}

/** For untrusted text: the apostrophe keeps spreadsheets from running it as a formula. */
export function csvText(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
