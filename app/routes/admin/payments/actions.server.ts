import { z } from "zod";
import { email, text } from "#app/features/accounts/input.ts";
import {
  type Resolution,
  type ResolutionResult,
  resolveUnmatchedEvent,
} from "#app/features/wallet/unmatched-events.server.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { NOTHING_SAVED, PROCESS_FAILED } from "#app/forms/messages.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { isLiveKey } from "#app/platform/stripe.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/list";

type Args = Route.ActionArgs & Posted;

const NOTHING_CHANGED = { failed: "Nothing changed", formError: NOTHING_SAVED };

/** By `values.eventId` the page finds the card that a result belongs to. */
export const paymentAction = formActions({
  assign: { ...NOTHING_CHANGED, keep: ["eventId", "email", "packId"], run: assign },
  retry: {
    ...NOTHING_CHANGED,
    keep: ["eventId"],
    run: (args: Args) => resolve(args, { kind: "retry" }),
  },
  dismiss: {
    ...NOTHING_CHANGED,
    keep: ["eventId"],
    run: (args: Args) => resolve(args, { kind: "dismiss" }),
  },
});

const assignInput = z.object({ email, packId: text });

function assign(args: Args) {
  const { email: address, packId } = parseForm(assignInput, args.fields);
  return resolve(args, { kind: "assign", email: address, packId: packId || null });
}

async function resolve({ context, fields }: Args, resolution: Resolution) {
  const { db, env, now } = context.get(appContext);
  const { eventId } = fields;
  // PostgreSQL rejects a NUL; Stripe's ids have no control characters.
  if (!eventId || /\p{Cc}/u.test(eventId)) {
    return fail(400, { title: PROCESS_FAILED.title, formError: PROCESS_FAILED.description });
  }
  const result = await resolveUnmatchedEvent(db, {
    ...{ eventId, resolution, now: now() },
    adminId: context.get(viewerContext).userId,
    formKey: formKeyOf(fields.formKey),
    isLive: isLiveKey(env.stripeSecretKey),
  });
  if (result.ok) {
    const toast = toastOf(resolution, result.isGranted);
    return redirectWithToast(env, "/admin/payments", toast);
  }
  const failure: FormResult = { ...FAILURES[result.reason] };
  return fail(failure.fieldErrors ? 422 : 409, failure);
}

function toastOf(resolution: Resolution, isGranted: boolean) {
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
