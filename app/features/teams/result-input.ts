import { plainText } from "#app/platform/text.ts";
import type { PlayerResult, Result } from "./record-result.server.ts";
import { SCORE_FIELDS, SCORE_MAX, type Score } from "./result-rules.ts";

export function isResultField(name: string): boolean {
  return SCORE_FIELDS.some((field) => field === name) || /^(goals|won)-/.test(name);
}

/** A score for each team; for each player `goals-{bookingId}` and, if ticked, `won-{bookingId}`. */
export function readResult(
  fields: Record<string, string>,
): { ok: true; input: Result } | { ok: false; errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const count = (name: string, empty?: number) => {
    const value = plainText(fields[name] ?? "");
    if (value === "" && empty !== undefined) return empty;
    if (/^\d{1,2}$/.test(value)) return Number(value);
    errors[name] = `Enter a number from 0 to ${SCORE_MAX}`;
    return 0;
  };
  const score: Score = { firstScore: count("firstScore"), secondScore: count("secondScore") };
  for (const field of ["thirdScore", "fourthScore"] as const) {
    if (fields[field] !== undefined) score[field] = count(field);
  }
  const players: PlayerResult[] = [];
  for (const name of Object.keys(fields)) {
    const bookingId = /^goals-(.+)$/.exec(name)?.[1];
    if (!bookingId) continue;
    const hasWon = fields[`won-${bookingId}`] !== undefined;
    players.push({ bookingId, goals: count(name, 0), hasWon });
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, input: { ...score, players } };
}
