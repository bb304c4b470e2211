import type { Named, RecordedEntry } from "#app/features/audit/entries.server.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { changesOf, summarize } from "./changes.ts";
import { gamePart, type Part, playerPart } from "./parts.ts";
import { sentenceOf } from "./sentences.server.ts";

export function toLogEntryView(entry: RecordedEntry) {
  const changes = changesOf(entry);
  return {
    id: entry.id,
    who: actorName(entry.actor, entry.actorName),
    what: sentenceOf(entry),
    when: formatMoment(entry.at),
    subject: entry.subject,
    name: subjectName(entry),
    /** Folded: what the sentence leaves out. */
    changes: summarize(changes).isWhole ? [] : changes,
    all: listAll(entry),
  };
}
export type LogEntryView = ReturnType<typeof toLogEntryView>;

/** Each game and player, if one form was about several. */
function listAll(entry: RecordedEntry): Part[][] {
  if (entry.placed && entry.placed.length > 1) return entry.placed.map((one) => [playerPart(one)]);
  if (entry.others.length === 0) return [];
  return [entry, ...entry.others].flatMap(({ game, player }) => {
    const parts = [player && playerPart(player), game && gamePart(game, entry.at)];
    const [first, second] = parts.filter((part) => part !== null);
    if (!first) return [];
    return [second ? [first, ", ", second] : [first]];
  });
}

export function actorName(actor: string, name: string | null): string {
  return name ?? PROGRAMS.get(actor) ?? "Somebody";
}

const PROGRAMS = new Map([
  ["command", "The command line"],
  ["system", "The system"],
]);

/** The heading of a `?subject=` history: the subject's own name, otherwise that in `entry`. */
export function subjectName(entry: RecordedEntry | undefined, named: Named | null = null): string {
  const name = (named && nameOf(named, null)) ?? (entry && nameOf(entry, entry.at));
  return name ?? `something that is ${entry ? "deleted" : "not there"}`;
}

function nameOf({ game, player, ticket, name }: Named, at: Date | null): string | null {
  if (ticket) return `${ticket.subject ?? "a review"}, ${ticket.writer}`;
  const [place] = game ? [gamePart(game, at)] : [];
  const gameText = typeof place === "object" ? place.text : null;
  return name ?? gameText ?? player?.name ?? null;
}
