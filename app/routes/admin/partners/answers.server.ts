import { data, redirect } from "react-router";
import { checkForm } from "#app/features/accounts/input.ts";
import { changeLogo, type LogoAnswer, createPartner, editPartner, removePartner } from "#app/features/partners/partners.server.ts";
import { partnerInput } from "#app/features/partners/input.ts";
import { LOGO_TOO_LARGE, NO_IMAGE } from "#app/features/partners/rules.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { type Flash, flashCookie } from "#app/routes/flash.server.ts";
import { throwUnknownOnce } from "#app/routes/outcome-unknown.server.ts";
import type { Difference } from "#app/routes/admin/edit-conflict.tsx";
import { PARTNERS, partnerPath, type PartnerValues, showPartner } from "./partner-words.ts";

/** What a refused form about a partner is answered with. */
export interface PartnerAnswer {
  form: "details" | "logo" | "list";
  title: string;
  description?: string;
  errors?: Record<string, string>;
  values?: PartnerValues;
  /** After a conflict: what the form edits now, and what stands there. */
  version?: number;
  differences?: Difference[];
}

export const UPDATE_FAILED = "Failed to update partner";
const LOGO_FAILED = "Failed to upload logo";
const DELETE_FAILED = "Failed to delete partner";
const GONE = "It has been deleted meanwhile.";
const NOT_ADDED = {
  "no-id": ["The form was not complete. Please try again.", 400],
  "id-used": ["This form has added another partner before. Send it again for one more.", 409],
} as const;

interface Deed {
  partnerId: string;
  actor: string;
  form: FormData;
}

export async function answerCreate(app: App, { actor, form }: Omit<Deed, "partnerId">) {
  const values = valuesOf(form);
  const failed = { form: "details", title: "Failed to add partner", values } as const;
  const checked = checkForm(partnerInput, values);
  if (!checked.ok) return refuse({ ...failed, errors: checked.errors }, 422);
  try {
    const { input } = checked;
    const partnerId = `${form.get("partnerId")}`;
    const answer = await createPartner(app.db, { partnerId, input, actor });
    if (!answer.ok) {
      const [description, status] = NOT_ADDED[answer.reason];
      return refuse({ ...failed, description }, status);
    }
    const description = "Now give it a logo.";
    return await done(app, partnerPath(partnerId), {
      title: "Partner added successfully",
      description,
    });
  } catch (error) {
    return breakDown(error, failed);
  }
}

export async function answerEdit(app: App, { partnerId, actor, form }: Deed) {
  const values = valuesOf(form);
  const version = Number(form.get("version"));
  const failed = { form: "details", title: UPDATE_FAILED, values, version } as const;
  const checked = checkForm(partnerInput, values);
  if (!checked.ok) return refuse({ ...failed, errors: checked.errors }, 422);
  try {
    const edit = { partnerId, version, input: checked.input, actor };
    const answer = await editPartner(app.db, edit);
    if (answer.ok) {
      return await done(app, partnerPath(partnerId), { title: "Partner updated successfully" });
    }
    if (answer.reason === "gone") return await sayGone(app, UPDATE_FAILED);
    const { values: theirs, version: newest } = showPartner(answer.current);
    const differences = differencesOf(theirs, { ...values, sortOrder: `${edit.input.sortOrder}` });
    return refuse({ ...failed, version: newest, differences }, 409);
  } catch (error) {
    return breakDown(error, failed);
  }
}

export async function answerLogo(app: App, { partnerId, actor, form }: Deed) {
  const failed = { form: "logo", title: LOGO_FAILED } as const;
  const file = form.get("logo");
  if (!(file instanceof File) || file.size === 0) {
    return refuse({ ...failed, errors: { logo: NO_IMAGE } }, 422);
  }
  try {
    const bytes = Buffer.from(await file.arrayBuffer());
    const parts = { db: app.db, dataDir: app.env.dataDir };
    const answer = await changeLogo(parts, { partnerId, bytes, actor });
    if (!answer.ok) {
      const { reason } = answer;
      return reason === "gone" ? await sayGone(app, LOGO_FAILED) : refuseLogo(reason);
    }
    return await done(app, partnerPath(partnerId), { title: "Logo uploaded successfully" });
  } catch (error) {
    return breakDown(error, failed);
  }
}

export async function answerRemove(app: App, { partnerId, actor }: Deed) {
  try {
    const parts = { db: app.db, dataDir: app.env.dataDir };
    const isGone = await removePartner(parts, { partnerId, actor });
    if (!isGone) return await sayGone(app, DELETE_FAILED);
    return await done(app, PARTNERS, { title: "Partner deleted successfully" });
  } catch (error) {
    return breakDown(error, { form: "list", title: DELETE_FAILED });
  }
}

export function refuse(answer: PartnerAnswer, status: number) {
  return data<PartnerAnswer>(answer, { status });
}

/** What nobody foresaw is logged; the organiser keeps the page and may try again. */
export function breakDown(error: unknown, answer: PartnerAnswer) {
  throwUnknownOnce(error);
  log.error({ err: error }, answer.title);
  return refuse({ ...answer, description: "Please try again." }, 500);
}

export async function done({ env }: App, to: string, message: Omit<Flash, "id">) {
  return redirect(to, { headers: { "Set-Cookie": await flashCookie(env, message) } });
}

/** Whoever edits what somebody else has deleted is led back to the list. */
export function sayGone(app: App, title: string) {
  return done(app, PARTNERS, { title, description: GONE, tone: "danger" });
}

function refuseLogo(reason: Exclude<(LogoAnswer & { ok: false })["reason"], "gone">) {
  const failed = { form: "logo", title: LOGO_FAILED } as const;
  if (reason === "busy") return refuse({ ...failed, description: "Please try again." }, 503);
  const [message, status] = {
    "not-an-image": [NO_IMAGE, 422] as const,
    "too-large": [LOGO_TOO_LARGE, 413] as const,
    unreadable: ["This image cannot be read. Save it as a PNG and try again.", 422] as const,
  }[reason];
  return refuse({ ...failed, errors: { logo: message } }, status);
}

function valuesOf(form: FormData): PartnerValues {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  return { name: text("name"), websiteUrl: text("websiteUrl"), sortOrder: text("sortOrder") };
}

const LABELS = { name: "Name", websiteUrl: "Website", sortOrder: "Sort order" };

function differencesOf(theirs: PartnerValues, yours: PartnerValues): Difference[] {
  return (["name", "websiteUrl", "sortOrder"] as const)
    .filter((field) => theirs[field] !== yours[field].trim())
    .map((field) => ({ label: LABELS[field], theirs: theirs[field], yours: yours[field] }));
}
