import { readFile } from "node:fs/promises";
import path from "node:path";
import { drawableText, readOwnPicture, squareDataUrl } from "../../platform/pictures.server.ts";
import { projectRoot } from "../../platform/root.server.ts";
import { type CardWords, initialsOf } from "./card-words.ts";

export interface CardFacts {
  words: CardWords;
  brandName: string;
  dataDir: string;
}

/** A card's words with only such letters as can be drawn, and the pictures inside the picture. */
export async function prepareCard({ words, brandName, dataDir }: CardFacts) {
  const texts = [words.firstName, words.lastName, brandName];
  const [firstName = "", lastName = "", brand = ""] = await Promise.all(texts.map(drawableText));
  const names = [firstName, lastName].filter(Boolean);
  const file = words.pictureUrl && (await readOwnPicture(dataDir, words.pictureUrl));
  return {
    // A name in letters that the font lacks stands in full on the page beside the picture.
    names: names.length > 0 ? names : ["Player"],
    initials: initialsOf(names),
    brand,
    position: words.position,
    stats: words.stats,
    face: file ? await squareDataUrl(file, 470) : null,
    flag: await flagDataUrl(words.countryCode),
  };
}

export type DrawnCard = Awaited<ReturnType<typeof prepareCard>>;

/** The flag of a country as a data address; null for a code without one. */
async function flagDataUrl(code: string | null): Promise<string | null> {
  if (!code || !/^[A-Z]{2}$/.test(code)) return null;
  const folder = path.join(projectRoot, "public", "flags");
  const svg = await readFile(path.join(folder, `${code}.svg`)).catch(() => null);
  return svg && `data:image/svg+xml;base64,${svg.toString("base64")}`;
}
