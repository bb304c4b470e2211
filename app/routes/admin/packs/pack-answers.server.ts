import { data, redirect } from "react-router";
import { checkForm, type FieldErrors } from "#app/features/accounts/input.ts";
import { createPack, editPack } from "#app/features/wallet/edit-pack.server.ts";
import { type PackInput, packInput } from "#app/features/wallet/input.ts";
import type { App } from "#app/routes/context.server.ts";
import { PROCESS_FAILED } from "#app/forms/messages.ts";
import { type ToastMessage, toastCookie } from "#app/forms/toast.server.ts";
import { logFailure } from "#app/forms/log-failure.server.ts";
import type { Difference } from "#app/forms/form-result.ts";
import { PACKS, type PackValues } from "./pack-values.ts";
import { valuesOf } from "./pack-words.server.ts";

/** What a refused form of a pack is answered with. */
export interface PackAnswer {
  title: string;
  description?: string;
  errors?: FieldErrors;
  values?: PackValues;
  /** The new deal takes the link away: asked before it is saved. */
  asksDropLink?: boolean;
  /** After a conflict: what the form edits now, and what stands there. */
  version?: number;
  differences?: Difference[];
}

interface Deed {
  packId: string;
  actor: string;
  fields: Record<string, string>;
}

export async function answerCreate(app: App, { packId, actor, fields }: Deed) {
  const values = typed(fields);
  const checked = check(values);
  if (!checked.ok) return refuse({ title: NOT_SAVED, values, errors: checked.errors }, 422);
  const answer = await createPack(app.db, { input: checked.input, packId, actor }).catch(
    logFailure("creating a pack"),
  );
  if (!answer) return refuse({ ...PROCESS_FAILED, values }, 500);
  if (!answer.ok && answer.reason === "no-id") return refuse({ ...PROCESS_FAILED, values }, 400);
  if (!answer.ok) return refuse({ title: NOT_SAVED, description: MADE_ANOTHER, values }, 409);
  const description = "Next it needs a payment link.";
  return done(app, `${PACKS}/${packId}`, { title: "Pack created", description });
}

export async function answerEdit(app: App, { packId, actor, fields }: Deed) {
  const values = typed(fields);
  const version = Number(fields.version);
  const failed = { title: NOT_SAVED, values, version };
  const checked = check(values);
  if (!checked.ok) return refuse({ ...failed, errors: checked.errors }, 422);
  const { input } = checked;
  const mayDropLink = Boolean(fields.dropLink);
  const answer = await editPack(app.db, { packId, version, input, mayDropLink, actor }).catch(
    logFailure("changing a pack"),
  );
  if (!answer) return refuse({ ...failed, ...PROCESS_FAILED }, 500);
  if (answer.ok) {
    const description = answer.isLinkDropped ? "Its payment link is gone: make a new one." : "";
    return done(app, `${PACKS}/${packId}`, {
      title: "Pack saved",
      ...(description && { description }),
    });
  }
  if (answer.reason === "gone") return null;
  if (answer.reason === "drops-link") return refuse({ ...failed, asksDropLink: true }, 422);
  const { current } = answer;
  const differences = differencesOf(valuesOf(current), valuesOf(input));
  return refuse({ ...failed, version: current.version, differences }, 409);
}

export function refuse(answer: PackAnswer, status: number) {
  return data<PackAnswer>(answer, { status });
}

async function done({ env }: App, to: string, message: Omit<ToastMessage, "id">) {
  return redirect(to, { headers: { "Set-Cookie": await toastCookie(env, message) } });
}

const NOT_SAVED = "Nothing was saved";
const MADE_ANOTHER = "This form has created another pack before. Send it again for one more.";

type Checked = { ok: true; input: PackInput } | { ok: false; errors: FieldErrors };

/** Errors go by the names that the form's fields have. */
function check({ name, price, credits, isActive }: PackValues): Checked {
  const checked = checkForm(packInput, {
    name,
    priceCents: price,
    creditsCents: credits,
    isActive,
  });
  if (checked.ok) return checked;
  const { name: ofName, priceCents, creditsCents } = checked.errors;
  const errors = { name: ofName, price: priceCents, credits: creditsCents };
  return {
    ok: false,
    errors: Object.fromEntries(
      Object.entries(errors).flatMap(([field, error]) => (error ? [[field, error]] : [])),
    ),
  };
}

function typed({ name = "", price = "", credits = "", isActive = "" }: Record<string, string>) {
  return { name, price, credits, isActive };
}

const LABELS = { name: "Name", price: "Price", credits: "Credits", isActive: "On sale" };

function differencesOf(theirs: PackValues, yours: PackValues): Difference[] {
  const say = (field: keyof PackValues, { [field]: value }: PackValues) =>
    field === "isActive" ? (value ? "yes" : "no") : value;
  return (["name", "price", "credits", "isActive"] as const)
    .filter((field) => theirs[field] !== yours[field])
    .map((field) => ({
      label: LABELS[field],
      theirs: say(field, theirs),
      yours: say(field, yours),
    }));
}
