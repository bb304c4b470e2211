import { z } from "zod";
import { amount, filled, line, lines, ticked } from "#app/platform/fields.ts";
import { plainText } from "#app/platform/text.ts";
import type { PlayerResult, Result } from "./record-result.server.ts";
import { UNTIL_HOURS, type UntilHours } from "./waitlist-rules.ts";
import {
  CASH_METHODS,
  MESSAGE_MAX,
  PROMOTE_REASON_MAX,
  SCORE_FIELDS,
  SCORE_MAX,
  type Score,
  SUBJECT_MAX,
} from "./rules.ts";

export const gameMessageInput = z.object({
  subject: line.pipe(filled("Subject", SUBJECT_MAX)),
  message: lines.pipe(filled("Message", MESSAGE_MAX)),
  isPinned: ticked,
});

export const cancelInput = z.object({
  message: lines
    .transform((typed) => typed || null)
    .pipe(filled("Message", MESSAGE_MAX).nullable()),
});

const WRONG_AMOUNT = "Enter an amount above 0 and at most 999.99\u00a0€, such as 10 or 7.50";

const cashFields = {
  amount: amount(WRONG_AMOUNT, { most: 99_999 }),
  method: z.enum(CASH_METHODS, "Choose how it was paid"),
};

/** What was paid by hand: more than 0, at most 999.99 euros. */
export const cashInput = z
  .object(cashFields)
  .transform(({ amount: amountCents, method }) => ({ amountCents, method }));

/** How the seat of an added player is paid; a form without it takes no money. */
export const seatPaymentInput = z
  .discriminatedUnion(
    "payment",
    [
      z.object({ payment: z.literal("credits") }),
      z.object({ payment: z.literal("nothing") }),
      z.object({ payment: z.literal("cash"), ...cashFields }),
    ],
    "Choose how it is paid",
  )
  .transform((input) =>
    input.payment === "cash"
      ? { by: input.payment, amountCents: input.amount, method: input.method }
      : { by: input.payment },
  );

export const promotionInput = z.object({
  reason: line.pipe(filled("Reason", PROMOTE_REASON_MAX)),
});

/** `until` is in hours before kick-off. */
export const waitlistInput = z.object({
  mode: z.enum(["auto", "ask"], "Choose whether we book the spot or ask you first"),
  until: z
    .enum(UNTIL_HOURS.map(String), "Choose until when")
    .transform((hours) => Number(hours) as UntilHours),
});

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
