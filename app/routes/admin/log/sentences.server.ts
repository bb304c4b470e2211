import type { RecordedEntry } from "#app/features/audit/entries.server.ts";
import { type AuditSlot, textsOf } from "#app/platform/audit-actions.ts";
import { gamesOf, type Part, playersOf, say } from "./parts.ts";
import { SLOTS } from "./slots.server.ts";

/** All but the actor's name. An unknown action, of another version, gets a plain sentence. */
export function sentenceOf(entry: RecordedEntry): Part[] {
  const words = textsOf(entry.action);
  if (words) return fill(words[1], entry);
  const about = entry.game ? gamesOf(entry) : entry.player ? playersOf(entry) : (entry.name ?? "");
  const parts = say`recorded “${withoutSigns(entry.action)}”`;
  return about.length > 0 ? [...parts, ": ", ...[about].flat()] : parts;
}

function fill(sentence: string, entry: RecordedEntry): Part[] {
  const pieces = sentence.split(/\{(\w+)\}/);
  const texts = pieces.filter((_, index) => index % 2 === 0);
  const slots = pieces.filter((_, index) => index % 2 === 1) as AuditSlot[];
  return say(texts, ...slots.map((slot) => SLOTS[slot](entry)));
}

export const actionLabel = (action: string) => textsOf(action)?.[0] ?? withoutSigns(action);

// "moon.landed" is "moon landed".
const withoutSigns = (action: string) => action.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
