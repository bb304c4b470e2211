import { findSharedCard } from "#app/features/players/cards.server.ts";
import type { App } from "#app/routes/context.server.ts";
import type { CardFacts } from "./card-drawing.server.ts";
import { cardWords } from "./card-words.ts";

/** Who has the link sees the card; a search engine has no business with it. */
export const UNLISTED = { "X-Robots-Tag": "noindex" };

/** All that a shared card shows; null where nobody shares one at this address. */
export async function loadSharedCard(
  { db, env, now }: App,
  token: string,
): Promise<CardFacts | null> {
  const card = await findSharedCard(db, token, now());
  if (!card) return null;
  const { brandName, dataDir } = env;
  return { words: cardWords(card), token, brandName, dataDir };
}
