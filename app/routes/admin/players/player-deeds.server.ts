import { data, redirect } from "react-router";
import {
  changeRole,
  suspendAccount,
  unsuspendAccount,
} from "#app/features/accounts/account-status.server.ts";
import { checkForm, type FieldErrors } from "#app/features/accounts/input.ts";
import { findPlayerRecord } from "#app/features/players/profiles.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { creditsCount, creditsText } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";
import { PROCESS_FAILED } from "#app/forms/messages.ts";
import { type ToastMessage, toastCookie } from "#app/forms/toast.server.ts";
import { echoOf } from "#app/forms/form-fields.server.ts";
import { correctionInput, roleInput, suspensionInput } from "./input.ts";

/** What a refused form of a player's page is answered with. */
export interface PlayerAnswer {
  form: "balance" | "role" | "suspension" | "page";
  title: string;
  description?: string;
  errors?: FieldErrors;
  values?: Record<string, string>;
}

interface Deed {
  playerId: string;
  actor: string;
  fields: Record<string, string>;
}

/** Does what a form of the page asks for; null where there is no such player. */
export async function doToPlayer(
  app: App,
  { playerId: id, ...deed }: Omit<Deed, "playerId"> & { playerId: string | undefined },
) {
  const player = await findPlayerRecord(app.db, id);
  if (!player) return null;
  const { intent } = deed.fields;
  const on = { ...deed, playerId: player.id };
  if (intent === "correct-balance") return answerCorrection(app, on);
  if (intent === "make-admin") return answerRole(app, { ...on, isAdmin: true });
  if (intent === "unmake-admin") return answerRole(app, { ...on, isAdmin: false });
  if (intent === "suspend") return answerSuspension(app, on);
  if (intent === "unsuspend") return answerUnsuspension(app, on);
  return refuse({ form: "page", ...PROCESS_FAILED }, 400);
}

async function answerCorrection(app: App, { playerId, actor, fields }: Deed) {
  const values = echoOf(fields, ["direction", "amount", "reason"]);
  const failed = { form: "balance", title: "Nothing was booked", values } as const;
  const checked = checkForm(correctionInput, fields);
  if (!checked.ok) return refuse({ ...failed, errors: checked.errors }, 422);
  const { amountCents } = checked.input;
  const answer = await correctBalance(app.db, { ...checked.input, userId: playerId, actor });
  if (answer.ok) {
    const booked = `${amountCents < 0 ? "−" : "+"}${creditsText(Math.abs(amountCents))} credits.`;
    const description = answer.isRepeat ? "This had been booked already, and only once." : booked;
    return done(app, playerId, { title: "Balance corrected", description });
  }
  if (answer.reason === "too-few") {
    const amount = `Only ${creditsCount(answer.wallet.balanceCents)} can be taken`;
    return refuse({ ...failed, errors: { amount } }, 409);
  }
  const used =
    "This form was sent before with another amount. Check the balance and send it again.";
  return refuse({ ...failed, description: answer.reason === "gone" ? GONE : used }, 409);
}

async function answerRole(app: App, deed: Deed & { isAdmin: boolean }) {
  const { playerId, actor, fields, isAdmin } = deed;
  const failed = { form: "role", title: "Nothing changed" } as const;
  const checked = checkForm(roleInput, fields);
  if (!checked.ok) return refuse({ ...failed, errors: checked.errors }, 422);
  const answer = await changeRole(app.db, { userId: playerId, isAdmin, actor });
  if (!answer.ok) return refuse({ ...failed, description: ROLE_REFUSALS[answer.reason] }, 409);
  const title = isAdmin ? "Made an admin" : "Admin role taken away";
  // Whoever gave up their own role sees nothing here any more.
  if (!isAdmin && playerId === actor) return done(app, null, { title });
  return done(app, playerId, { title });
}

async function answerSuspension(app: App, { playerId, actor, fields }: Deed) {
  const values = echoOf(fields, ["reason"]);
  const failed = { form: "suspension", title: "Nothing changed", values } as const;
  const checked = checkForm(suspensionInput, fields);
  if (!checked.ok) return refuse({ ...failed, errors: checked.errors }, 422);
  const { reason } = checked.input;
  const answer = await suspendAccount(app.db, { userId: playerId, reason, actor }, app.now());
  if (!answer.ok) {
    return refuse({ ...failed, description: SUSPENSION_REFUSALS[answer.reason] }, 409);
  }
  const description = "They are signed out everywhere. Bookings stay until you decide.";
  return done(app, playerId, { title: "Account suspended", description });
}

async function answerUnsuspension(app: App, { playerId, actor }: Deed) {
  const isDone = await unsuspendAccount(app.db, { userId: playerId, actor }, app.now());
  if (!isDone) {
    return refuse({ form: "suspension", title: "Nothing changed", description: GONE }, 409);
  }
  return done(app, playerId, {
    title: "Suspension lifted",
    description: "They can sign in again.",
  });
}

function refuse(answer: PlayerAnswer, status: number) {
  return data<PlayerAnswer>(answer, { status });
}

async function done({ env }: App, playerId: string | null, message: Omit<ToastMessage, "id">) {
  const headers = { "Set-Cookie": await toastCookie(env, message) };
  return redirect(playerId ? `/admin/players/${playerId}` : "/events", { headers });
}

const GONE = "This account has been deleted meanwhile.";

const ROLE_REFUSALS = {
  gone: GONE,
  suspended: "A suspended account cannot become an admin's. Lift the suspension first.",
  "last-admin": "This is the last admin who can sign in. Make somebody else an admin first.",
};

const SUSPENSION_REFUSALS = {
  gone: GONE,
  self: "You cannot suspend yourself.",
  already: "This account is suspended already.",
  "last-admin": "This is the last admin who can sign in. Make somebody else an admin first.",
};
