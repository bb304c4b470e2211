import type { PlayerCard } from "../../features/players/cards.server.ts";
import { POSITIONS } from "../../features/players/rules.ts";
import { ownPath } from "../../ui/own-path.ts";

/** What a card says, in words. Wins and goals stay '-' until results are recorded. */
export function cardWords(card: PlayerCard) {
  const name = `${card.firstName} ${card.lastName}`;
  const games = String(card.gamesPlayed);
  const position = card.position && POSITIONS[card.position];
  const country = card.nationality;
  return {
    firstName: card.firstName,
    lastName: card.lastName,
    name,
    initials: initialsOf([card.firstName, card.lastName]),
    position,
    country,
    countryCode: card.nationalityCode,
    pictureUrl: ownPath(card.profilePictureUrl),
    stats: [
      { label: "Total games", value: games },
      { label: "Total wins", value: "-" },
      { label: "Total goals", value: "-" },
    ],
    alt: `Player card of ${[name, position, country].filter(Boolean).join(", ")}. Total games: ${games}, wins and goals not recorded yet.`,
  };
}

export type CardWords = ReturnType<typeof cardWords>;

/** The first letter of each name. */
export function initialsOf(names: string[]): string {
  return names
    .map((name) => [...name.trim()][0] ?? "")
    .join("")
    .toUpperCase();
}
