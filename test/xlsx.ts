import { strFromU8, unzipSync } from "fflate";

type Cell = string | number | null;
/** A number with the format in which it is shown; without one it is plain. */
type FormattedCell = Cell | [number, format: string];

/** The cells of an .xlsx file with one spreadsheet. Throws where one is a formula. */
export function readXlsx(bytes: Uint8Array): FormattedCell[][] {
  const parts = unzipSync(bytes);
  const part = (name: string) => strFromU8(parts[name]!);
  const formats = listFormats(part("xl/styles.xml"));
  const rows = part("xl/worksheets/sheet1.xml").match(/<row .*?<\/row>/gs) ?? [];
  return rows.map((row) => {
    const cells: FormattedCell[] = [];
    for (const [, attributes = "", content = ""] of row.matchAll(
      /<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs,
    )) {
      if (content.includes("<f")) throw new Error(`a formula: ${content}`);
      const { r = "", s = "0" } = Object.fromEntries(
        Array.from(attributes.matchAll(/(\w+)="([^"]*)"/g), ([, key, value]) => [key, value]),
      );
      const number = /<v>([^<]*)<\/v>/.exec(content)?.[1];
      const format = formats[Number(s)];
      const text = Array.from(content.matchAll(/<t[^>]*>([^<]*)<\/t>/g), ([, each]) => each).join(
        "",
      );
      const column = r.charCodeAt(0) - "A".charCodeAt(0);
      if (number === undefined) cells[column] = content ? unescaped(text) : null;
      else cells[column] = format ? [Number(number), format] : Number(number);
    }
    return Array.from(cells, (cell) => cell ?? null);
  });
}

function listFormats(styles: string): (string | undefined)[] {
  const formats = new Map(
    Array.from(
      styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g),
      ([, id, code]) => [id, unescaped(code!)],
    ),
  );
  const [looks = ""] = /<cellXfs.*?<\/cellXfs>/s.exec(styles) ?? [];
  return Array.from(looks.matchAll(/<xf numFmtId="(\d+)"/g), ([, id]) => formats.get(id));
}

function unescaped(text: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text.replace(/&(\w+);/g, (_, name: string) => entities[name]!);
}
