import type { Named, RecordedEntry } from "#app/features/audit/entries.server.ts";
import { clockTime, playersText } from "#app/features/games/rules.ts";
import { EURO } from "#app/platform/money.ts";
import { helsinkiDate, monthDay, monthDayYear, shortWeekday } from "#app/platform/clock.ts";

export type Part = string | { text: string; to: string };

/** A sentence, such as say`removed ${player} from ${game}`. */
export function say(texts: readonly string[], ...parts: (Part | Part[])[]): Part[] {
  const all = texts.flatMap((text, index) => [text, ...[parts[index] ?? []].flat()]);
  return all.reduce<Part[]>((joined, part) => {
    const last = joined.at(-1);
    if (typeof part !== "string" || typeof last !== "string") return [...joined, part];
    return [...joined.slice(0, -1), last + part];
  }, []);
}

export const textOf = (parts: Part[]) =>
  parts.map((part) => (typeof part === "string" ? part : part.text)).join("");

/** "Tue, Nov 24, 18:00 at Töölö Cage", of a series "… and 7 more games". */
export function gamesOf(entry: RecordedEntry): Part[] {
  const games = [entry, ...entry.others].flatMap(({ game }) => game ?? []);
  const [first] = games;
  if (!first) return [plannedGame(entry), ...moreGames(entry.others.length)];
  return [gamePart(first, entry.at), ...moreGames(new Set(games.map(({ id }) => id)).size - 1)];
}

const moreGames = (count: number): string[] =>
  count === 0 ? [] : [` and ${count === 1 ? "1 more game" : `${count} more games`}`];

export function gamePart(game: NonNullable<Named["game"]>, at: Date | null): Part {
  return { text: gameText(game, at), to: `/admin/games/${game.id}` };
}

function gameText(game: { date: string; startTime: string; venueName: string }, at: Date | null) {
  const isSameYear = at !== null && game.date.slice(0, 4) === helsinkiDate(at).slice(0, 4);
  const date = isSameYear ? monthDay(game.date) : monthDayYear(game.date);
  return `${shortWeekday(game.date)}, ${date}, ${clockTime(game.startTime)} at ${game.venueName}`;
}

/** A deleted game, as the entry describes it. */
function plannedGame({ details, venueNames, at }: RecordedEntry): string {
  const { date, startTime, venueId } = { ...factsOf(details.before), ...factsOf(details.after) };
  const venueName = venueNames?.[String(venueId)];
  if (typeof date !== "string" || typeof startTime !== "string" || !venueName) {
    return "a game that is deleted";
  }
  return `the game ${gameText({ date, startTime, venueName }, at)}`;
}

/** "Ada Smith", "Ada Smith and Bo Hall", "Ada Smith and 3 more players". */
export function playersOf(entry: RecordedEntry): Part[] {
  const players = [entry, ...entry.others].flatMap(({ player, placed }) => player ?? placed ?? []);
  const [first, second, ...rest] = players.filter(
    ({ id }, index) => players.findIndex((player) => player.id === id) === index,
  );
  if (!first) return ["a player"];
  if (!second) return [playerPart(first)];
  if (rest.length === 0) return [playerPart(first), " and ", playerPart(second)];
  return [playerPart(first), ` and ${rest.length + 1} more players`];
}

export const playerPart = ({ id, name }: NonNullable<Named["player"]>): Part => ({
  ...{ text: name, to: `/admin/players/${id}` },
});

/** "“Lost shoes” from Ada Smith", "the withdrawal of Ada Smith" with its amount. */
export function ticketPart({ ticket, subject }: RecordedEntry): Part {
  if (!ticket) return "a message that is deleted";
  const { kind, writer, amountEur } = ticket;
  const to = `/admin/inbox/${encodeURIComponent(subject)}`;
  if (amountEur) return { text: `the withdrawal of ${writer}, ${amountEur}${EURO}`, to };
  return { text: `${kind === "review" ? "the review" : `“${ticket.subject}”`} from ${writer}`, to };
}

/** A venue, partner or pack; without a link if it is deleted. */
export function namedPart({ name, subject, details }: RecordedEntry, folder: string): Part {
  if (name) return { text: name, to: `/admin/${folder}/${encodeURIComponent(subject)}` };
  const former = { ...factsOf(details.before), ...factsOf(details.after) };
  const formerName = former["name"];
  return typeof formerName === "string" && formerName ? formerName : "one that is deleted";
}

type AuditDetails = Record<string, unknown>;

export const factsOf = (value: unknown): AuditDetails =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? (value as AuditDetails)
    : {};

export const numberOf = (value: unknown) => (typeof value === "number" ? value : null);

export const playersCount = (value: unknown) => playersText(numberOf(value) ?? 0);
