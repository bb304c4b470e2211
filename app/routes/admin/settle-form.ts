import { z } from "zod";
import { checkForm, email, type FieldErrors, text } from "#app/features/accounts/input.ts";
import { PROCESS_FAILED } from "#app/forms/messages.ts";
import type { Resolution, ResolutionResult } from "#app/features/wallet/unmatched-events.server.ts";

/** What a refused form shows: a notice, or what is wrong with which field of which event. */
export interface Refusal {
  eventId: string;
  notice?: { title: string; description: string };
  errors?: FieldErrors;
  values?: { email: string; packId: string };
}

type Settlement =
  | { ok: true; eventId: string; resolution: Resolution }
  | { ok: false; status: 400 | 422; refusal: Refusal };

/** `intent=assign|retry|dismiss` with `eventId`; to assign, `email` and where it is needed `packId`. */
export function readSettlement(fields: Record<string, string>): Settlement {
  const { intent = "", eventId = "", packId = "" } = fields;
  // PostgreSQL refuses a NUL; Stripe's ids are plain.
  if (!eventId || /\p{Cc}/u.test(eventId)) return unknown(eventId);
  if (intent === "retry" || intent === "dismiss") {
    return { ok: true, eventId, resolution: { kind: intent } };
  }
  if (intent !== "assign") return unknown(eventId);
  const checked = checkForm(assignInput, fields);
  if (checked.ok) {
    const resolution = {
      kind: intent,
      email: checked.input.email,
      packId: packId || null,
    } as const;
    return { ok: true, eventId, resolution };
  }
  return { ok: false, status: 422, refusal: withErrors(eventId, fields, checked.errors) };
}

/** A refusal of the deed itself, in words, with its status. */
export function explainRefusal(
  reason: Extract<ResolutionResult, { ok: false }>["reason"],
  eventId: string,
  fields: Record<string, string>,
): { status: 409 | 422; refusal: Refusal } {
  const errors = FIELD_ERRORS.get(reason);
  if (errors) return { status: 422, refusal: withErrors(eventId, fields, errors) };
  const notice = NOTICES.get(reason) ?? PROCESS_FAILED;
  return { status: 409, refusal: { eventId, notice, ...typed(fields) } };
}

/** The toast of what was done. */
export function settledMessage(
  resolution: Resolution,
  isGranted: boolean,
): { title: string; description: string } {
  switch (resolution.kind) {
    case "retry":
      return { title: "Settled", description: "This time everything matched." };
    case "dismiss":
      return { title: "Set aside", description: "Nobody was given credits for it." };
    case "assign":
      return isGranted
        ? { title: "Settled", description: `Credits given to ${resolution.email}.` }
        : { title: "Settled", description: `It belongs to ${resolution.email} now.` };
  }
}

const assignInput = z.object({ email, packId: text });

function withErrors(eventId: string, fields: Record<string, string>, errors: FieldErrors): Refusal {
  return { eventId, errors, ...typed(fields) };
}

/** What the form shows again; the other two have nothing to type. */
function typed({ intent, email: address = "", packId = "" }: Record<string, string>) {
  return intent === "assign" ? { values: { email: address, packId } } : {};
}

function unknown(eventId: string): Settlement {
  return { ok: false, status: 400, refusal: { eventId, notice: PROCESS_FAILED } };
}

const FIELD_ERRORS = new Map<string, FieldErrors>([
  ["no-player", { email: "No player has this email address." }],
  ["no-pack", { packId: "Choose the pack that was paid for." }],
]);

const NOTICES = new Map(
  Object.entries({
    "not-parked": {
      title: "Nothing changed",
      description: "This payment has been settled already.",
    },
    "still-parked": {
      title: "Still not matched",
      description: "The reason given here is what is missing now.",
    },
    "another-player": {
      title: "Nothing changed",
      description: "This Stripe customer belongs to another player already.",
    },
    "not-assignable": {
      title: "Nothing changed",
      description: "This cannot be given to a player.",
    },
  }),
);
