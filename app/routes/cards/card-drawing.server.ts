import { readFile } from "node:fs/promises";
import path from "node:path";
import {
  drawableText,
  readOwnPicture,
  squareDataUrl,
} from "#app/platform/images/drawn-pictures.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { type CardWords, initialsOf } from "./card-words.ts";

export interface CardFacts {
  words: CardWords;
  /** Of the shared card, whose pictures go when it is shared no more. */
  token?: string;
  brandName: string;
  dataDir: string;
}

/** A card's words with only such letters as can be drawn, and the pictures inside the picture. */
export async function prepareCard({ words, brandName, dataDir }: CardFacts) {
  const texts = [words.firstName, words.lastName, brandName];
  const [firstName = "", lastName = "", brand = ""] = await Promise.all(texts.map(drawableText));
  const drawable = [firstName, lastName].filter(Boolean).map(capitals);
  // A name in letters that our fonts lack stands in full on the page beside the picture.
  const names = drawable.length > 0 ? drawable : ["Player"];
  const file = words.pictureUrl && (await readOwnPicture(dataDir, words.pictureUrl));
  return {
    names,
    initials: initialsOf(names),
    brand,
    position: words.position,
    stats: words.stats,
    face: file ? await squareDataUrl(file, 470) : null,
    flag: await flagDataUrl(words.countryCode),
  };
}

export type DrawnCard = Awaited<ReturnType<typeof prepareCard>>;

/** Greek capitals carry no accents, which only the Greek rule knows. */
function capitals(name: string): string {
  return name.replace(/\p{Script=Greek}+/gu, (part) => part.toLocaleUpperCase("el"));
}

/** The flag of a country as a data address; null for a code without one. */
async function flagDataUrl(code: string | null): Promise<string | null> {
  if (!code || !/^[A-Z]{2}$/.test(code)) return null;
  const folder = path.join(projectRoot, "public", "flags");
  const svg = await readFile(path.join(folder, `${code}.svg`)).catch(() => null);
  return svg && `data:image/svg+xml;base64,${svg.toString("base64")}`;
}
