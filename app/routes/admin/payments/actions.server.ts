import { z } from "zod";
import { email } from "#app/features/accounts/input.ts";
import { text } from "#app/platform/fields.ts";
import {
  type Resolution,
  type ResolutionResult,
  resolveUnmatchedEvent,
} from "#app/features/wallet/stripe/unmatched-events.server.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { NOTHING_SAVED, PROCESS_FAILED } from "#app/forms/messages.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { isLiveKey } from "#app/platform/stripe.server.ts";
import { adminOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route } from "./+types/list";

type Args = Route.ActionArgs & Posted;

const failed = { failed: "Nothing changed", formError: NOTHING_SAVED };
const keep = ["eventId"];

/** `values.eventId` tells which card a result belongs to. */
export const paymentAction = formActions({
  assign: { ...failed, keep: [...keep, "email", "packId"], run: assign },
  retry: { ...failed, keep, run: (args: Args) => resolve(args, { kind: "retry" }) },
  dismiss: { ...failed, keep, run: (args: Args) => resolve(args, { kind: "dismiss" }) },
});

const assignInput = z.object({ email, packId: text });

function assign(args: Args) {
  const { email: address, packId } = parseForm(assignInput, args.fields);
  return resolve(args, { kind: "assign", email: address, packId: packId || null });
}

async function resolve(args: Args, resolution: Resolution) {
  const { db, env, now, actor, done } = adminOf(args);
  const { eventId, formKey } = args.fields;
  // PostgreSQL rejects a NUL; Stripe's ids have no control characters.
  if (!eventId || /\p{Cc}/u.test(eventId)) {
    return fail(400, { title: PROCESS_FAILED.title, formError: PROCESS_FAILED.description });
  }
  const result = await resolveUnmatchedEvent(db, {
    ...{ eventId, resolution, actor, now: now() },
    formKey: formKeyOf(formKey),
    isLive: isLiveKey(env.stripeSecretKey),
  });
  if (result.ok) return done("/admin/payments", ...toastOf(resolution, result.isGranted));
  const failure: FormResult = { ...FAILURES[result.reason] };
  return fail(failure.fieldErrors ? 422 : 409, failure);
}

function toastOf(resolution: Resolution, isGranted: boolean): [title: string, text: string] {
  switch (resolution.kind) {
    case "retry":
      return ["Settled", "This time everything matched."];
    case "dismiss":
      return ["Set aside", "Nobody was given credits for it."];
    case "assign":
      return isGranted
        ? ["Settled", `Credits given to ${resolution.email}.`]
        : ["Settled", `It belongs to ${resolution.email} now.`];
  }
}

const FAILURES: Record<Extract<ResolutionResult, { ok: false }>["reason"], FormResult> = {
  "no-player": { fieldErrors: { email: "No player has this email address." } },
  "no-pack": { fieldErrors: { packId: "Choose the pack that was paid for." } },
  "already-settled": { formError: "This payment has been settled already." },
  "still-unmatched": {
    title: "Still not matched",
    formError: "The reason given here is what is missing now.",
  },
  "another-player": { formError: "This Stripe customer belongs to another player already." },
  "not-assignable": { formError: "This cannot be given to a player." },
};
