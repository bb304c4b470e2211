import type { PlayerCard } from "#app/features/players/cards.server.ts";
import { POSITIONS } from "#app/features/players/rules.ts";
import { ownPath } from "#app/ui/picture.tsx";

export function toCardView(card: PlayerCard) {
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
      { label: "Total wins", value: recorded(card.wins) },
      { label: "Total goals", value: recorded(card.goals) },
    ],
    alt: `Player card of ${[name, position, country].filter(Boolean).join(", ")}. ${totals(card)}.`,
  };
}

// '-' until results are recorded.
const recorded = (value: number | null) => (value === null ? "-" : String(value));

function totals({ gamesPlayed, wins, goals }: PlayerCard): string {
  if (wins === null) return `Total games: ${gamesPlayed}, wins and goals not recorded yet`;
  return `Total games: ${gamesPlayed}, wins: ${wins}, goals: ${goals}`;
}

export type CardView = ReturnType<typeof toCardView>;

export function initialsOf(names: string[]): string {
  return names
    .map((name) => [...name.trim()][0] ?? "")
    .join("")
    .toUpperCase();
}
