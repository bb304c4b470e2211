import type { PlayerCard } from "#app/features/players/cards.server.ts";
import { POSITIONS } from "#app/features/players/rules.ts";
import { initialsOf } from "#app/ui/avatar.tsx";
import { ownPath } from "#app/ui/picture.tsx";

export function toCardView(card: PlayerCard) {
  const name = `${card.firstName} ${card.lastName}`;
  const games = String(card.gamesPlayed);
  const position = card.position && POSITIONS[card.position];
  const country = card.nationality;
  const recent = recentText(card);
  const who = [name, position, country].filter(Boolean).join(", ");
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
    recent,
    alt: `${[`Player card of ${who}`, totals(card), recent].filter(Boolean).join(". ")}.`,
  };
}

// '-' until results are recorded.
const recorded = (value: number | null) => (value === null ? "-" : String(value));

function totals({ gamesPlayed, wins, goals }: PlayerCard): string {
  if (wins === null) return `Total games: ${gamesPlayed}, wins and goals not recorded yet`;
  return `Total games: ${gamesPlayed}, wins: ${wins}, goals: ${goals}`;
}

function recentText({ thisMonth, weeksInARow }: Counts): string {
  const games = thisMonth === 1 ? "1 game this month" : `${thisMonth} games this month`;
  const parts = [thisMonth > 0 && games, weeksInARow > 1 && `${weeksInARow} weeks in a row`];
  return parts.filter(Boolean).join(" · ");
}

type Counts = Pick<PlayerCard, "thisMonth" | "weeksInARow">;

export type CardView = ReturnType<typeof toCardView>;

/** In Latin capitals: marks take no room, East Asian characters take more. */
function widthOf(text: string): number {
  const widths = [...text.replace(/\p{M}/gu, "")].map((char) => (EAST_ASIAN.test(char) ? 1.4 : 1));
  return widths.reduce((sum, width) => sum + width, 0);
}

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Line height of both names, so that no mark below one is drawn over a mark above the next: in
 * capitals of our fonts, measured (names.test.ts). */
export function nameLineHeight(names: string): number {
  const marked = names.toUpperCase().normalize("NFD");
  const script = LINE_HEIGHTS.find(([pattern]) => pattern.test(marked));
  if (script) return script[1];
  const isMarkedTwice = /\p{L}\p{M}{2}/u.test(marked);
  return isMarkedTwice || (BELOW.test(marked) && ABOVE.test(marked)) ? 1.3 : 1.04;
}

const LINE_HEIGHTS: [RegExp, number][] = [
  // Points of Hebrew.
  [/[\u0591-\u05c7]/, 1.76],
  [/\p{Script=Thai}/u, 1.6],
  [/\p{Script=Arabic}/u, 1.45],
  [/[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Sinhala}]/u, 1.35],
];
const BELOW = /[\u0323-\u0328ЦЩҚҢҖҲ]/;
const ABOVE = /[\u0300-\u030c]/;

/** How many sizes smaller a name is drawn, on one line or on two that break between words. */
export function nameStep(name: string): number {
  const width = widthOf(name);
  if (width <= 13) return width <= 10 ? 0 : 1;
  const longestLine = Math.max(width * 0.55, ...name.split(" ").map(widthOf));
  const step = [19, 24].findIndex((fitting) => longestLine <= fitting);
  return step === -1 ? 4 : step + 2;
}
