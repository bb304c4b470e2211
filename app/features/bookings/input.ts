import { z } from "zod";
import { manyLines, oneLine } from "#app/platform/text.ts";
import { filled, text } from "#app/features/accounts/input.ts";
import type { PlayerResult, Result } from "./record-result.server.ts";
import { UNTIL_HOURS, type UntilHours } from "./waitlist-rules.ts";
import { MESSAGE_MAX, PROMOTE_REASON_MAX, SCORE_MAX, SUBJECT_MAX } from "./rules.ts";

export const gameMessageInput = z.object({
  subject: text.transform(oneLine).pipe(filled("Subject", SUBJECT_MAX)),
  message: text.transform(manyLines).pipe(filled("Message", MESSAGE_MAX)),
  isPinned: text.transform((value) => value !== ""),
});

export const promotionInput = z.object({
  reason: text.transform(oneLine).pipe(filled("Reason", PROMOTE_REASON_MAX)),
});

/** `until` is in hours before kick-off. */
export const waitlistInput = z.object({
  mode: z.enum(["auto", "ask"], "Choose whether we book the spot or ask you first"),
  until: z
    .enum(UNTIL_HOURS.map(String), "Choose until when")
    .transform((hours) => Number(hours) as UntilHours),
});

export function isResultField(name: string): boolean {
  return name === "firstScore" || name === "secondScore" || /^(goals|won)-/.test(name);
}

/** For each player `goals-{bookingId}` (empty is none) and, where ticked, `won-{bookingId}`. */
export function readResult(
  fields: Record<string, string>,
): { ok: true; input: Result } | { ok: false; errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const count = (name: string, empty?: number) => {
    const value = (fields[name] ?? "").trim();
    if (value === "" && empty !== undefined) return empty;
    if (/^\d{1,2}$/.test(value)) return Number(value);
    errors[name] = `Enter a number from 0 to ${SCORE_MAX}`;
    return 0;
  };
  const score = { firstScore: count("firstScore"), secondScore: count("secondScore") };
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
