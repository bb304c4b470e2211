import { data } from "react-router";
import { z } from "zod";
import {
  changeRole,
  suspendAccount,
  unsuspendAccount,
} from "#app/features/accounts/account-status.server.ts";
import { text } from "#app/features/accounts/input.ts";
import { SUSPENSION_REASON_MAX } from "#app/features/accounts/rules.ts";
import { findPlayerRecord } from "#app/features/players/profiles.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { CORRECTION_REASON_MAX } from "#app/features/wallet/rules.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { centsFromNumeric, creditsCount, creditsText } from "#app/platform/money.ts";
import { oneLine } from "#app/platform/text.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/show";

type Args = Route.ActionArgs & Posted;

const NOTHING_CHANGED = { failed: "Nothing changed", formError: NOTHING_SAVED };

export const playerAction = formActions({
  "correct-balance": {
    failed: "No change was made",
    formError: NOTHING_SAVED,
    keep: ["direction", "amount", "reason"],
    run: correct,
  },
  "make-admin": { ...NOTHING_CHANGED, keep: ["confirmed"], run: (args) => setRole(args, true) },
  "unmake-admin": { ...NOTHING_CHANGED, keep: ["confirmed"], run: (args) => setRole(args, false) },
  suspend: { ...NOTHING_CHANGED, keep: ["reason", "confirmed"], isOnce: true, run: suspend },
  unsuspend: { ...NOTHING_CHANGED, run: unsuspend },
});

const AMOUNT = "Enter an amount of credits, such as 10 or 9.01";

/** `direction` gives or takes; a phone's number keyboard has no minus. */
const correctionInput = z
  .object({
    direction: text.pipe(z.enum(["give", "take"], "Choose whether to give or to take")),
    amount: text
      .transform((value) => value.trim().replace(",", "."))
      .pipe(z.string().regex(/^\d{1,4}(\.\d{1,2})?$/, AMOUNT))
      .transform(centsFromNumeric)
      .pipe(z.number().positive(AMOUNT)),
    reason: reasonUpTo(CORRECTION_REASON_MAX),
    key: text.pipe(z.uuid("This form is out of date. Load the page again.")),
  })
  .transform(({ direction, amount, ...rest }) => ({
    ...rest,
    amountCents: direction === "take" ? -amount : amount,
  }));

const confirmed = text.pipe(z.string().min(1, "Tick the box to go on"));
const roleInput = z.object({ confirmed });
const suspensionInput = z.object({ reason: reasonUpTo(SUSPENSION_REASON_MAX), confirmed });

function reasonUpTo(max: number) {
  const tooLong = `The reason can be at most ${max} characters`;
  return text.transform(oneLine).pipe(z.string().min(1, "Reason is required").max(max, tooLong));
}

/** 404 where there is no such player. */
async function targetOf({ context, params }: Args) {
  const app = context.get(appContext);
  const player = await findPlayerRecord(app.db, params.playerId);
  if (!player) throw data(null, { status: 404 });
  const { id: userId } = player;
  return { app, target: { userId, actor: context.get(viewerContext).userId } };
}

async function correct(args: Args) {
  const { app, target } = await targetOf(args);
  const correction = parseForm(correctionInput, args.fields);
  const result = await correctBalance(app.db, { ...correction, ...target });
  if (result.ok) {
    const { amountCents } = correction;
    const booked = `${amountCents < 0 ? "−" : "+"}${creditsText(Math.abs(amountCents))} credits.`;
    const description = result.isRepeat ? "This had been booked already, and only once." : booked;
    return redirectToPlayer(args, { title: "Balance corrected", description });
  }
  if (result.reason === "too-few") {
    const amount = `Only ${creditsCount(result.wallet.balanceCents)} can be taken`;
    return fail(409, { fieldErrors: { amount } });
  }
  return fail(409, { formError: CORRECTION_ERRORS[result.reason] });
}

async function setRole(args: Args, isAdmin: boolean) {
  const { app, target } = await targetOf(args);
  parseForm(roleInput, args.fields);
  const result = await changeRole(app.db, { ...target, isAdmin });
  if (!result.ok) return fail(409, { formError: ROLE_ERRORS[result.reason] });
  const title = isAdmin ? "Made an admin" : "Admin role taken away";
  // An admin who gives up their own role can no longer open this page.
  const isOwn = !isAdmin && target.userId === target.actor;
  return isOwn
    ? redirectWithToast(app.env, "/events", { title })
    : redirectToPlayer(args, { title });
}

async function suspend(args: Args) {
  const { app, target } = await targetOf(args);
  const { reason } = parseForm(suspensionInput, args.fields);
  const result = await suspendAccount(app.db, { ...target, reason }, app.now());
  if (!result.ok) return fail(409, { formError: SUSPENSION_ERRORS[result.reason] });
  const description = "They are signed out everywhere. Bookings stay until you decide.";
  return redirectToPlayer(args, { title: "Account suspended", description });
}

async function unsuspend(args: Args) {
  const { app, target } = await targetOf(args);
  const isFound = await unsuspendAccount(app.db, target, app.now());
  if (!isFound) return fail(409, { formError: GONE });
  const description = "They can sign in again.";
  return redirectToPlayer(args, { title: "Suspension lifted", description });
}

type Toast = Parameters<typeof redirectWithToast>[2];

function redirectToPlayer({ context, params }: Args, toast: Toast) {
  return redirectWithToast(context.get(appContext).env, `/admin/players/${params.playerId}`, toast);
}

const GONE = "This account has been deleted meanwhile.";
const LAST_ADMIN = "This is the last admin who can sign in. Make somebody else an admin first.";

const CORRECTION_ERRORS = {
  gone: GONE,
  "key-used": "This form was sent before with another amount. Check the balance and send it again.",
};

const ROLE_ERRORS = {
  gone: GONE,
  suspended: "A suspended account cannot become an admin's. Lift the suspension first.",
  "last-admin": LAST_ADMIN,
};

const SUSPENSION_ERRORS = {
  gone: GONE,
  self: "You cannot suspend yourself.",
  already: "This account is suspended already.",
  "last-admin": LAST_ADMIN,
};
