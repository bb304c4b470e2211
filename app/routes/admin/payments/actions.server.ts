import { z } from "zod";
import { email } from "#app/features/accounts/input.ts";
import { text } from "#app/platform/fields.ts";
import {
  refundUnmatched,
  type Resolution,
  resolveUnmatchedEvent,
} from "#app/features/wallet/stripe/unmatched-events.server.ts";
import { takeBackAssignment } from "#app/features/wallet/stripe/take-back-assignment.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { NOTHING_SAVED, PROCESS_FAILED } from "#app/forms/messages.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { isLiveKey } from "#app/platform/stripe.server.ts";
import { creditsCount, creditsText, euros, moneyText } from "#app/platform/money.ts";
import { openRefunds, REFUND_ERRORS, REFUND_TITLES } from "#app/routes/admin/refunds.server.ts";
import { adminRows } from "#app/routes/admin/admin-action.server.ts";
import type { ConfirmedResult, Confirmation } from "#app/routes/admin/confirmation.tsx";

const assignInput = z
  .object({ email, packId: text, confirmed: text })
  .transform(({ packId, ...to }): Resolution => ({
    kind: "assign",
    ...to,
    packId: packId || null,
  }));

const row = adminRows<ConfirmedResult>();

/** `values.eventId` says which card a result belongs to. */
const resolve = (input: z.ZodType<Resolution> | (() => Resolution)) =>
  row({
    ...{ failed: "Nothing changed", formError: NOTHING_SAVED },
    keep: ["eventId", "email", "packId"],
    input,
    run: async ({ db, jobs, env, now, actor, input: resolution, fields: { eventId, formKey } }) => {
      // PostgreSQL rejects a NUL; Stripe's ids have no control characters.
      if (!eventId || /\p{Cc}/u.test(eventId)) return rejected("no-id");
      return resolveUnmatchedEvent(db, {
        ...{ eventId, resolution, actor, jobs, now: now() },
        formKey: formKeyOf(formKey),
        isLive: isLiveKey(env.stripeSecretKey),
      });
    },
    errors: {
      "no-id": [
        "incomplete",
        { title: PROCESS_FAILED.title, formError: PROCESS_FAILED.description },
      ],
      "no-player": ["invalid", { fieldErrors: { email: "No player has this email address." } }],
      "no-pack": ["invalid", { fieldErrors: { packId: "Choose the pack that was paid for." } }],
      differs: (asked) => ["invalid", { confirmation: differenceQuestion(asked) }],
      "already-settled": "This payment has been settled already.",
      "still-unmatched": {
        title: "Still not matched",
        formError: "The reason given here is what is missing now.",
      },
      "another-player": "This Stripe customer belongs to another player already.",
      "not-assignable": "This cannot be given to a player.",
    },
    done: ({ isGranted }, { input: resolution }) => doneToast(resolution, isGranted),
  });

export const paymentAction = formActions({
  assign: resolve(assignInput),
  retry: resolve(() => ({ kind: "retry" })),
  dismiss: resolve(() => ({ kind: "dismiss" })),
  refund: row({
    ...{ failed: "Nothing was refunded", keep: ["eventId"] },
    run: async ({ db, jobs, env, now, actor, fields: { eventId = "", formKey } }) => {
      const stripe = openRefunds(env);
      const refundId = formKeyOf(formKey);
      if (!stripe) return rejected("key");
      if (!refundId || !eventId || /\p{Cc}/u.test(eventId)) return rejected("already-settled");
      const isLive = isLiveKey(env.stripeSecretKey);
      return refundUnmatched(db, { stripe, refundId, eventId, actor, jobs, isLive, now: now() });
    },
    errors: {
      ...REFUND_ERRORS,
      "already-settled": "This payment has been settled already.",
    },
    done: ({ status, amount: amountCents, currency }) => ({
      title: REFUND_TITLES[status],
      description: `${moneyText({ amountCents, currency })} goes back to the payer.`,
    }),
  }),
  "take-back": row({
    ...{ failed: "Not taken back", formError: NOTHING_SAVED },
    run: ({ db, jobs, now, actor, fields: { assignmentId = "" } }) =>
      takeBackAssignment(db, { assignmentId, actor, jobs, now: now() }),
    errors: {
      "not-found": ["missing", "There is no such assignment any more."],
      moved:
        "Money of this payment has gone back, or is asked back, since. Settle it at its player.",
      renewed: "More months of this subscription came since. Correct the player's balance instead.",
      spent: ({ creditsCents, leftCents }) =>
        `Only ${creditsText(leftCents)} of the ${creditsCount(creditsCents)} are left: the others ` +
        "are spent or have expired. Cancel what they were spent for, or correct the balance.",
    },
    done: { title: "Taken back", description: "The payment is in the list again." },
  }),
});

interface Asked {
  paidCents: number;
  pack: { name: string; priceCents: number; creditsCents: number };
  key: string;
}

function differenceQuestion({ paidCents, pack, key }: Asked): Confirmation {
  const credits = creditsCount(pack.creditsCents);
  return {
    title: `${euros(paidCents)} was paid, this pack costs ${euros(pack.priceCents)}`,
    text: `Given as “${pack.name}”, the payment becomes ${credits}.`,
    button: `Give ${credits} anyway`,
    key,
  };
}

function doneToast(resolution: Resolution, isGranted: boolean) {
  switch (resolution.kind) {
    case "retry":
      return { title: "Settled", description: "This time everything matched." };
    case "dismiss":
      return { title: "Set aside", description: "Nobody was given credits for it." };
    case "assign": {
      const { email: address } = resolution;
      const given = `Credits given to ${address}.`;
      return { title: "Settled", description: isGranted ? given : `It belongs to ${address} now.` };
    }
  }
}
