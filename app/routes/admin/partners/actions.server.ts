import {
  createPartner,
  changeLogo,
  editPartner,
  movePartner,
  type AdminPartner,
  removePartner,
  switchPartner,
} from "#app/features/partners/partners.server.ts";
import { partnerInput } from "#app/features/partners/input.ts";
import { LOGO_TOO_LARGE, NO_IMAGE } from "#app/features/partners/rules.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { isId } from "#app/platform/ids.ts";
import { type App, appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { ownPath } from "#app/ui/picture.tsx";
import type { Route as EditRoute } from "./+types/edit";
import type { Route as ListRoute } from "./+types/list";
import type { Route as NewRoute } from "./+types/new";

/** A partner as the admin pages show it. */
export function toPartnerView({ name, logoUrl, websiteUrl, ...rest }: AdminPartner) {
  return {
    ...rest,
    name: name || "Partner",
    // Without a logo of ours its name is on the front page.
    logoUrl: ownPath(logoUrl),
    website: websiteUrl ? (URL.parse(websiteUrl)?.host ?? websiteUrl) : "",
    values: { name, websiteUrl: websiteUrl ?? "", sortOrder: String(rest.sortOrder) },
  };
}

export type PartnerView = ReturnType<typeof toPartnerView>;
type Values = PartnerView["values"];

const LABELS = { name: "Name", websiteUrl: "Website", sortOrder: "Sort order" };
const FIELDS = ["name", "websiteUrl", "sortOrder"] as const;
const UPDATE_FAILED = "Failed to update partner";

export const createAction = formActions({
  save: { failed: "Failed to add partner", keep: FIELDS, isOnce: true, run: create },
});

export const editAction = formActions({
  save: { failed: UPDATE_FAILED, keep: FIELDS, isOnce: true, run: edit },
  logo: { failed: "Failed to upload logo", isOnce: true, run: upload },
  remove: { failed: "Failed to delete partner", isOnce: true, run: remove },
});

export const listAction = formActions({
  switch: { failed: UPDATE_FAILED, isOnce: true, run: switchOrMove },
  up: { failed: UPDATE_FAILED, isOnce: true, run: switchOrMove },
  down: { failed: UPDATE_FAILED, isOnce: true, run: switchOrMove },
});

async function create({ context, fields }: NewRoute.ActionArgs & Posted) {
  const { db, env } = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const input = parseForm(partnerInput, fields);
  const { partnerId = "" } = fields;
  const created = await createPartner(db, { partnerId, input, actor });
  if (created.ok) {
    return redirectWithToast(env, `/admin/partners/${partnerId}`, {
      title: "Partner added successfully",
      description: "Now give it a logo.",
    });
  }
  if (created.reason === "no-id") {
    return fail(400, { formError: "The form was not complete. Please try again." });
  }
  const formError = "This form has added another partner before. Send it again for one more.";
  return fail(409, { formError });
}

async function edit({ context, params, fields }: EditRoute.ActionArgs & Posted) {
  const app = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const { partnerId } = params;
  if (!isId(partnerId)) return redirectGone(app, UPDATE_FAILED);
  const input = parseForm(partnerInput, fields);
  const version = Number(fields.version);
  const edited = await editPartner(app.db, { partnerId, version, input, actor });
  if (edited.ok) {
    const toast = { title: "Partner updated successfully" };
    return redirectWithToast(app.env, `/admin/partners/${partnerId}`, toast);
  }
  if (edited.reason === "gone") return redirectGone(app, UPDATE_FAILED);
  const theirs = toPartnerView(edited.current);
  const differences = differencesOf(theirs.values, { ...fields, sortOrder: `${input.sortOrder}` });
  return fail(409, { conflict: { version: theirs.version, differences } });
}

async function upload({ context, params, form }: EditRoute.ActionArgs & Posted) {
  const app = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const { partnerId } = params;
  const file = form.get("logo");
  if (!isId(partnerId)) return redirectGone(app, UPDATE_FAILED);
  if (!(file instanceof File) || file.size === 0) {
    return fail(422, { fieldErrors: { logo: NO_IMAGE } });
  }
  const bytes = Buffer.from(await file.arrayBuffer());
  const parts = { db: app.db, dataDir: app.env.dataDir };
  const changed = await changeLogo(parts, { partnerId, bytes, actor });
  if (changed.ok) {
    const toast = { title: "Logo uploaded successfully" };
    return redirectWithToast(app.env, `/admin/partners/${partnerId}`, toast);
  }
  if (changed.reason === "gone") return redirectGone(app, "Failed to upload logo");
  if (changed.reason === "busy") return fail(503, { formError: "Please try again." });
  const [status, logo] = LOGO_ERRORS[changed.reason];
  return fail(status, { fieldErrors: { logo } });
}

const LOGO_ERRORS = {
  "not-an-image": [422, NO_IMAGE],
  "too-large": [413, LOGO_TOO_LARGE],
  unreadable: [422, "This image cannot be read. Save it as a PNG and try again."],
} as const;

async function remove({ context, params }: EditRoute.ActionArgs & Posted) {
  const app = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const { partnerId } = params;
  const parts = { db: app.db, dataDir: app.env.dataDir };
  const isRemoved = isId(partnerId) && (await removePartner(parts, { partnerId, actor }));
  if (!isRemoved) return redirectGone(app, "Failed to delete partner");
  return redirectWithToast(app.env, "/admin/partners", { title: "Partner deleted successfully" });
}

/** `intent=switch` with `isActive`, or `intent=up|down`, of a `partnerId`. */
async function switchOrMove({ context, fields }: ListRoute.ActionArgs & Posted) {
  const app = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const { intent, partnerId, isActive } = fields;
  if (!isId(partnerId)) return fail(400, { formError: "Please try again." });
  const isThere =
    intent === "switch"
      ? await switchPartner(app.db, { partnerId, isActive: isActive === "true", actor })
      : await movePartner(app.db, { partnerId, direction: intent as "up" | "down", actor });
  if (!isThere) return redirectGone(app, UPDATE_FAILED);
  return redirectWithToast(app.env, "/admin/partners", { title: "Partner updated successfully" });
}

/** Somebody else has deleted it: back to the list. */
function redirectGone({ env }: App, title: string) {
  const description = "It has been deleted meanwhile.";
  return redirectWithToast(env, "/admin/partners", { title, description, tone: "danger" });
}

function differencesOf(theirs: Values, yours: Record<string, string>) {
  return FIELDS.filter((field) => theirs[field] !== (yours[field] ?? "").trim()).map((field) => ({
    ...{ label: LABELS[field], theirs: theirs[field], yours: yours[field] ?? "" },
  }));
}
