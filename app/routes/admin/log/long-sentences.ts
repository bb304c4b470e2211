import type { RecordedEntry } from "#app/features/audit/entries.server.ts";
import { isDate, monthDayYear } from "#app/platform/clock.ts";
import { centsFromNumeric, creditsCount, euros } from "#app/platform/money.ts";
import { changesOf, summarize } from "./changes.ts";
import {
  factsOf,
  gamesOf,
  namedPart,
  numberOf,
  type Part,
  playersCount,
  playersOf,
  say,
} from "./parts.ts";

export const after = ({ details }: Pick<RecordedEntry, "details">) => factsOf(details.after);
export const before = ({ details }: RecordedEntry) => factsOf(details.before);

export function changed(entry: RecordedEntry): string {
  const { text } = summarize(changesOf(entry));
  return text && `: ${text}`;
}

export function attendance(entry: RecordedEntry): Part[] {
  const [players, games] = [playersOf(entry), gamesOf(entry)];
  const { attendance: to } = after(entry);
  if (before(entry).attendance === to) {
    return say`found the attendance of ${players} at ${games} recorded already`;
  }
  if (to === "CheckedIn") return say`checked in ${players} at ${games}`;
  if (to === "NoShow") return say`marked ${players} as a no-show at ${games}`;
  return say`cleared the attendance of ${players} at ${games}`;
}

export function removal(entry: RecordedEntry): Part[] {
  const { refundCents, isFreeSessionBack } = after(entry);
  const cents = numberOf(refundCents) ?? 0;
  const free = isFreeSessionBack ? "with the free session back" : "without a refund";
  const back = cents > 0 ? `with ${creditsCount(cents)} back` : free;
  return say`removed ${playersOf(entry)} from ${gamesOf(entry)}, ${back}`;
}

const sumOf = (entry: RecordedEntry, fact: string) =>
  [entry, ...entry.others].reduce((sum, each) => sum + (numberOf(after(each)[fact]) ?? 0), 0);

export function cancellation(entry: RecordedEntry): Part[] {
  const bookings = sumOf(entry, "bookingsCalledOff");
  const ended = bookings === 1 ? "1 booking" : `${bookings} bookings`;
  const minimum = numberOf(entry.details.minPlayers);
  const why = minimum === null ? "" : `: ${entry.details.players} of at least ${minimum} players`;
  return say`cancelled ${gamesOf(entry)}${why}; ${bookings === 0 ? "nobody was in" : `${ended} cancelled`}`;
}

export function message(entry: RecordedEntry): Part[] {
  const to = `/admin/games/${encodeURIComponent(entry.subject)}#messages`;
  const read: Part[] = entry.game ? [". ", { text: "Read the message", to }] : [];
  // Of several games the same people may be counted more than once.
  const players = entry.others.length > 0 ? "players" : playersCount(after(entry).players);
  return say`messaged the ${players} of ${gamesOf(entry)}${read}`;
}

export function settlement(entry: RecordedEntry): Part[] {
  const payment: Part = { text: "a payment", to: "/admin/payments" };
  const { resolution, isGranted } = entry.details;
  if (resolution === "dismiss") return say`dismissed ${payment}`;
  if (resolution === "retry") return say`matched ${payment} again`;
  const credits = isGranted === false ? ", whose credits were there already" : "";
  return say`assigned ${payment} to ${playersOf(entry)}${credits}`;
}

export function photos(entry: RecordedEntry): Part[] {
  const venue = namedPart(entry, "venues");
  const count = (facts: Record<string, unknown>) =>
    Array.isArray(facts.photos) ? facts.photos.length : 0;
  const added = count(after(entry)) - count(before(entry));
  const some = Math.abs(added) === 1 ? "1 photo" : `${Math.abs(added)} photos`;
  if (added > 0) return say`added ${some} to ${venue}`;
  return added < 0 ? say`removed ${some} of ${venue}` : say`arranged the photos of ${venue}`;
}

export function correction(entry: RecordedEntry): Part[] {
  const { credits } = entry.details;
  const amount = typeof credits === "string" ? credits : "";
  const [was, is] = [before(entry).balance, after(entry).balance];
  const balance = was === undefined ? "" : ` (balance ${was} → ${is})`;
  const plain = amount.replace("-", "");
  const count = plain === "1" ? "1 credit" : `${plain} credits`;
  if (amount.startsWith("-")) return say`took ${count} from ${playersOf(entry)}${balance}`;
  return say`gave ${playersOf(entry)} ${amount ? count : "credits"}${balance}`;
}

export function cashOf(facts: Record<string, unknown>): string {
  const { amount_eur: amount } = facts;
  const isAmount = typeof amount === "string" && /^\d+\.\d\d$/.test(amount);
  return isAmount ? euros(centsFromNumeric(amount)) : "money";
}

/** How much and how; empty if no money was noted. */
export function paidHow(facts: Record<string, unknown>): string {
  const { amount_eur: amount, method } = facts;
  const isNoted = typeof amount === "string" && amount !== "0.00" && typeof method === "string";
  return isNoted ? `, ${cashOf(facts)} (${method})` : "";
}

/** What an added player's seat cost; empty if an older entry does not say. */
export function addedHow(entry: RecordedEntry): string {
  const { paymentStatus, priceCents } = after(entry);
  const cents = numberOf(priceCents);
  if (paymentStatus === "Unpaid") return ", unpaid";
  if (cents === null) return "";
  return cents === 0 ? ", with the free session" : `, for ${creditsCount(cents)}`;
}

/** "the teams of Tue, Nov 24, 18:00 at Töölö Cage". */
export const teamsOf = (entry: RecordedEntry): Part[] => say`the teams of ${gamesOf(entry)}`;

/** "moved Ada to Blue of …", if the entry has a known bib. */
export function teamMove(entry: RecordedEntry): Part[] {
  const { bib } = entry.details;
  const wasIn = before(entry).team !== null;
  const unnamed = wasIn ? "another team" : "a team";
  const team = typeof bib === "string" && bib !== "None" ? bib : unnamed;
  const [put, into] = wasIn ? ["moved", "to"] : ["put", "into"];
  return say`${put} ${playersOf(entry)} ${into} ${team} of ${gamesOf(entry)}`;
}

export function teamCount(entry: RecordedEntry): string {
  const teams = numberOf(after(entry).teams);
  return teams === null ? "" : `: ${teams} teams`;
}

export function logDownload({ details }: RecordedEntry): Part[] {
  const [from, to] = [String(details.from), String(details.to)];
  if (!isDate(from) || !isDate(to)) return ["downloaded the log"];
  return say`downloaded the log from ${monthDayYear(from)} to ${monthDayYear(to)}`;
}
