import { strToU8, type Zippable, zipSync } from "fflate";
import type { PersonalData } from "./personal-data.server.ts";

/**
 * One ZIP with a JSON file for each part of a player's data, the files that are given beside them,
 * and a page that says what is what.
 */
export function packData(
  data: PersonalData,
  { brandName, madeAt, files }: { brandName: string; madeAt: Date; files: Record<string, string> },
): Uint8Array<ArrayBuffer> {
  const folder: Zippable = { "README.txt": strToU8(readMe(brandName, madeAt)) };
  for (const [name, rows] of Object.entries(data)) {
    folder[`${name}.json`] = strToU8(`${JSON.stringify(rows, null, 2)}\n`);
  }
  for (const [name, text] of Object.entries(files)) folder[name] = strToU8(text);
  return zipSync(folder, { mtime: madeAt });
}

function readMe(brandName: string, madeAt: Date): string {
  return [
    `Your data at ${brandName}, as of ${madeAt.toISOString()}.`,
    "",
    "Each JSON file lists what is stored about you under that name; an empty list is nothing.",
    "Amounts are credits or euros, times are in UTC. statement.csv is the wallet for spreadsheets.",
    "",
  ].join("\n");
}
