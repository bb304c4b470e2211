import type { RecordedEntry } from "#app/features/audit/entries.server.ts";
import type { GamePlan } from "#app/features/games/plan.ts";
import type { VenueInput } from "#app/features/venues/admin-venues.server.ts";
import type { PackInput } from "#app/features/wallet/input.ts";
import { monthDayYear, shortWeekday } from "#app/platform/clock.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import { ENTITIES } from "#app/platform/schema.ts";

/** A field that an edit changed; null if it was or is empty. */
interface FieldChange {
  label: string;
  before: string | null;
  after: string | null;
}

type Field = keyof GamePlan | keyof PackInput | keyof VenueInput | "sortOrder" | "websiteUrl";
type Write = (value: unknown, venueNames: Record<string, string>) => string | null;

const plain: Write = (value) =>
  typeof value === "string" || typeof value === "number" ? String(value) || null : null;
const yesNo: Write = (value) => (value === true ? "yes" : value === false ? "no" : null);
const any: Write = (value) => yesNo(value, {}) ?? plain(value, {});
const cents = (write: (cents: number) => string): Write => {
  return (value) => (typeof value === "number" ? write(value) : null);
};
const day: Write = (value) =>
  typeof value === "string" ? `${shortWeekday(value)}, ${monthDayYear(value)}` : null;
const venue: Write = (id, names) =>
  id === undefined ? null : (names[String(id)] ?? "a venue that is gone");

const FIELDS: Record<Field, [label: string, write: Write]> = {
  title: ["title", plain],
  name: ["name", plain],
  date: ["date", day],
  startTime: ["start", plain],
  endTime: ["end", plain],
  venueId: ["venue", venue],
  maxPlayers: ["max players", plain],
  minPlayers: ["minimum", plain],
  decidesHours: ["hours before the decision", plain],
  isFirstSessionFree: ["first session free", yesNo],
  gameFormat: ["format", plain],
  level: ["level", plain],
  sport: ["sport", plain],
  isOutdoor: ["outdoor", yesNo],
  priceCents: ["price", cents(euros)],
  creditsCents: ["credits", cents(creditsCount)],
  isActive: ["on", yesNo],
  city: ["city", plain],
  address: ["address", plain],
  mapsUrl: ["map link", plain],
  website: ["website", plain],
  websiteUrl: ["website", plain],
  sortOrder: ["sort order", plain],
  description: ["description", plain],
  playerNotes: ["notes for players", plain],
};

type AuditDetails = Record<string, unknown>;
type Edited = Pick<RecordedEntry, "action" | "details" | "venueNames">;

const isEntityEdit = (action: string) =>
  Object.keys(ENTITIES).some((noun) => action === `${noun}.edit`);
const spaced = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** What differs between an edit's `before` and `after`. What has no row is left out, or in an edit of
 * a small table called by its name in words. */
export function changesOf({ action, details, venueNames }: Edited) {
  const [before, after] = [details.before, details.after] as (AuditDetails | null | undefined)[];
  if (!before || !after) return [];
  const others = isEntityEdit(action) ? Object.keys(after).filter((name) => !(name in FIELDS)) : [];
  return [...Object.keys(FIELDS), ...others].flatMap((name): FieldChange[] => {
    const [label, write] = FIELDS[name as Field] ?? [spaced(name), any];
    const read = (facts: AuditDetails) => write(facts[name], venueNames ?? {});
    const [was, is] = [read(before), read(after)];
    if (was === is) return [];
    if (was?.includes("\n") && is?.includes("\n")) return [{ label, ...changedLines(was, is) }];
    return [{ label, before: was, after: is }];
  });
}

const SHORT = 24;
const isShort = ({ before, after }: FieldChange) => {
  const text = (before ?? "") + (after ?? "");
  return text.length <= 2 * SHORT && !text.includes("\n");
};

/** "max players 10 → 12, description", and whether that leaves something out. */
export function summarize(changes: FieldChange[]): { text: string; isWhole: boolean } {
  const inFull = changes.filter(isShort).slice(0, 2);
  const texts = changes.map((change) => {
    if (!inFull.includes(change)) return change.label;
    return `${change.label} ${change.before ?? "none"} → ${change.after ?? "none"}`;
  });
  return { text: texts.join(", "), isWhole: inFull.length === changes.length };
}

// Without the lines that both begin or end with.
function changedLines(before: string, after: string) {
  const [was, is] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(was.length, is.length);
  let start = 0;
  while (start < shorter && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  const middle = (lines: string[]) => lines.slice(start, lines.length - end).join("\n") || null;
  return { before: middle(was), after: middle(is) };
}
