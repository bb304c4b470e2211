import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const hasLibreOffice = spawnSync("soffice", ["--version"]).status === 0;

type Kind = "float" | "date" | "time" | "string";
export interface OpenedCell {
  kind: Kind;
  /** LibreOffice's own: "-9.01", "2026-11-21", "PT18H45M00S". */
  value: string;
  isFormula: boolean;
}

interface Opening {
  /** Locale of the computer's settings, such as fi-FI. */
  locale: string;
  /** Separator of a .csv; formulas in it are evaluated, as Excel does. */
  separator?: string;
}

const folders = new Map<string, string>();
process.on("exit", () => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

/** The cells of a file, by row and column, as LibreOffice has opened it. */
export function openInLibreOffice(name: string, bytes: Uint8Array, opening: Opening) {
  const folder = folders.get(opening.locale) ?? makeFolder(opening.locale);
  writeFileSync(path.join(folder, name), bytes);
  const filter = opening.separator
    ? [`--infilter=CSV:${opening.separator.charCodeAt(0)},34,76,1,,0,false,false,,,,,true`]
    : [];
  const args = [`-env:UserInstallation=file://${folder}/profile`, "--headless", ...filter];
  const limits = { cwd: folder, timeout: 60_000 };
  spawnSync("soffice", [...args, "--convert-to", "fods", name], limits);
  const opened = path.join(folder, `${path.parse(name).name}.fods`);
  const cells = cellsOf(readFileSync(opened, "utf8"));
  rmSync(opened);
  return cells;
}

/** Has a profile, which takes seconds to set up, so that it is kept for the process. */
function makeFolder(locale: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-spreadsheets-"));
  folders.set(locale, folder);
  const profile = path.join(folder, "profile", "user");
  mkdirSync(profile, { recursive: true });
  writeFileSync(path.join(profile, "registrymodifications.xcu"), settingsOf(locale));
  return folder;
}

const settingsOf = (locale: string) => `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item>
</oor:items>`;

function cellsOf(document: string): (OpenedCell | null)[][] {
  const rows = document.match(/<table:table-row.*?<\/table:table-row>/gs) ?? [];
  return rows.map((row) => {
    const cells = row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs);
    return Array.from(cells).flatMap(([, attributes = "", content = ""]) => {
      const of = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1];
      const kind = of("office:value-type") as Kind | undefined;
      const text = content.replace(/<\/text:p>\s*<text:p>/g, "\n").replace(/<[^>]+>/g, "");
      const value = of("office:(?:date-|time-|)value") ?? unescaped(text).trim();
      const cell = kind ? { kind, value, isFormula: /table:formula/.test(attributes) } : null;
      const times = Math.min(Number(of("table:number-columns-repeated") ?? 1), 100);
      return Array.from({ length: times }, () => cell);
    });
  });
}

function unescaped(text: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text.replace(/&(\w+);/g, (_, name: string) => entities[name]!);
}
