import { createHash } from "node:crypto";
import { checkForm, type FieldErrors } from "#app/features/accounts/input.ts";
import type { CreateGamesResult } from "#app/features/games/create-games.server.ts";
import type { GamePlan } from "#app/features/games/plan.ts";
import { planInput, weeksInput } from "#app/features/games/input.ts";
import type { SlotProblem } from "#app/features/games/time-slots.ts";
import { creditsText } from "#app/platform/money.ts";
import { echoOf } from "#app/forms/form-fields.server.ts";
import { dayWords } from "./desk-words.ts";

/** What stands in the form, by the names of its fields. */
export type FormValues = Record<string, string>;

/** A plan as the form shows it. */
export function formValues(plan: GamePlan): FormValues {
  return {
    title: plan.title,
    description: plan.description,
    sport: plan.sport,
    date: plan.date,
    startTime: plan.startTime,
    endTime: plan.endTime,
    venueId: plan.venueId,
    maxPlayers: String(plan.maxPlayers),
    gameFormat: plan.gameFormat,
    surroundings: plan.isOutdoor ? "outdoor" : "indoor",
    priceEur: creditsText(plan.priceCents),
    isFirstSessionFree: plan.isFirstSessionFree ? "on" : "",
  };
}

/** What the form shows again. */
export function planValues(fields: Record<string, string>): FormValues {
  return echoOf(fields, [...Object.keys(planInput.in.shape), "weeks", "scope", "version"]);
}

type ReadPlan = { ok: true; plan: GamePlan; weeks: number } | { ok: false; errors: FieldErrors };

/** The plan that a form sent, with the complaints about all of its fields at once. */
export function readPlan(fields: FormValues): ReadPlan {
  const plan = checkForm(planInput, fields);
  const repeat = checkForm(weeksInput, fields);
  if (plan.ok && repeat.ok) return { ok: true, plan: plan.input, weeks: repeat.input.weeks };
  return {
    ok: false,
    errors: { ...(plan.ok ? {} : plan.errors), ...(repeat.ok ? {} : repeat.errors) },
  };
}

/** Why a game cannot be put there, beside the field that it is about. */
export function slotErrors(problem: SlotProblem): FieldErrors {
  if (problem.reason === "past") {
    return { date: `${dayWords(problem.date)}: a game must start in the future.` };
  }
  return {
    startTime:
      `${problem.time} does not exist on ${dayWords(problem.date)}: ` +
      "the clocks go forward that night. Choose another time.",
  };
}

export const NO_VENUE: FieldErrors = { venueId: "Choose a venue" };

const FORM_USED: FieldErrors = {
  title: "This form has created another game before. Send it again for one more.",
};

/** The complaint of a refused creation. */
export function createErrors(answer: Extract<CreateGamesResult, { ok: false }>): FieldErrors {
  if (answer.reason === "form-used") return FORM_USED;
  return answer.reason === "no-venue" ? NO_VENUE : slotErrors(answer);
}

/** Stands for exactly this edit: a confirmation of one is none of another. */
export function confirmationOf(plan: GamePlan, version: number, withFollowing: boolean): string {
  const text = JSON.stringify([formValues(plan), version, withFollowing]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
