import {
  createPartner,
  changeLogo,
  editPartner,
  movePartner,
  type AdminPartner,
  removePartner,
  switchPartner,
} from "#app/features/partners/partners.server.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { partnerInput } from "#app/features/partners/input.ts";
import { LOGO_TOO_LARGE, NO_IMAGE } from "#app/features/partners/rules.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { isId } from "#app/platform/ids.ts";
import { adminOf, failNew, fieldDiff, versionOf } from "#app/routes/admin/admin-action.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { ownPath } from "#app/ui/picture.tsx";
import type { Route as EditRoute } from "./+types/edit";
import type { Route as ListRoute } from "./+types/list";
import type { Route as NewRoute } from "./+types/new";

export function toPartnerView({ name, logoUrl, websiteUrl, ...rest }: AdminPartner) {
  return {
    ...rest,
    name: name || "Partner",
    // The front page shows the name if the logo is not our file.
    logoUrl: ownPath(logoUrl),
    website: websiteUrl ? (URL.parse(websiteUrl)?.host ?? websiteUrl) : "",
    values: { name, websiteUrl: websiteUrl ?? "", sortOrder: String(rest.sortOrder) },
  };
}

export type PartnerView = ReturnType<typeof toPartnerView>;

const LABELS = { name: "Name", websiteUrl: "Website", sortOrder: "Sort order" };
const keep = Object.keys(LABELS);
const PATH = "/admin/partners";
const UPDATE_FAILED = "Failed to update partner";
const LOGO_FAILED = "Failed to upload logo";

export const createAction = formActions({
  save: { failed: "Failed to add partner", keep, run: create },
});

export const editAction = formActions({
  save: { failed: UPDATE_FAILED, keep, run: edit },
  logo: { failed: LOGO_FAILED, isRepeatUnsafe: true, run: upload },
  remove: { failed: "Failed to delete partner", isRepeatUnsafe: true, run: remove },
});

export const listAction = formActions({
  switch: { failed: UPDATE_FAILED, run: switchOrMove },
  up: { failed: UPDATE_FAILED, isRepeatUnsafe: true, run: switchOrMove },
  down: { failed: UPDATE_FAILED, isRepeatUnsafe: true, run: switchOrMove },
});

async function create(args: NewRoute.ActionArgs & Posted) {
  const { db, actor, done } = adminOf(args);
  const input = parseForm(partnerInput, args.fields);
  const { partnerId = "" } = args.fields;
  const created = await createPartner(db, { partnerId, input, actor });
  if (!created.ok) return failNew(created.reason, "added another partner");
  return done(`${PATH}/${partnerId}`, "Partner added successfully", "Now give it a logo.");
}

async function edit(args: EditRoute.ActionArgs & Posted) {
  const { db, actor, done } = adminOf(args);
  const { fields, params } = args;
  const { partnerId } = params;
  if (!isId(partnerId)) return redirectGone(args, UPDATE_FAILED);
  const input = parseForm(partnerInput, fields);
  const version = versionOf(fields);
  const edited = await editPartner(db, { partnerId, version, input, actor });
  if (edited.ok) return done(`${PATH}/${partnerId}`, "Partner updated successfully");
  if (edited.reason === "gone") return redirectGone(args, UPDATE_FAILED);
  const theirs = toPartnerView(edited.current);
  const yours = { ...fields, sortOrder: String(input.sortOrder) };
  const differences = fieldDiff(LABELS, theirs.values, yours);
  return fail(409, { conflict: { version: theirs.version, differences } });
}

async function upload(args: EditRoute.ActionArgs & Posted) {
  const { db, env, actor, done } = adminOf(args);
  const { partnerId } = args.params;
  const file = args.form.get("logo");
  if (!isId(partnerId)) return redirectGone(args, LOGO_FAILED);
  if (!(file instanceof File) || file.size === 0) {
    return fail(422, { fieldErrors: { logo: NO_IMAGE } });
  }
  const bytes = Buffer.from(await file.arrayBuffer());
  const changed = await changeLogo({ db, files: openFiles(env) }, { partnerId, bytes, actor });
  if (changed.ok) return done(`${PATH}/${partnerId}`, "Logo uploaded successfully");
  if (changed.reason === "gone") return redirectGone(args, LOGO_FAILED);
  if (changed.reason === "busy") return fail(503, { formError: "Please try again." });
  const [status, logo] = LOGO_ERRORS[changed.reason];
  return fail(status, { fieldErrors: { logo } });
}

const LOGO_ERRORS = {
  "not-an-image": [422, NO_IMAGE],
  "too-large": [413, LOGO_TOO_LARGE],
  unreadable: [422, "This image cannot be read. Save it as a PNG and try again."],
} as const;

async function remove(args: EditRoute.ActionArgs & Posted) {
  const { db, env, actor, done } = adminOf(args);
  const { partnerId } = args.params;
  const parts = { db, files: openFiles(env) };
  const isRemoved = isId(partnerId) && (await removePartner(parts, { partnerId, actor }));
  if (!isRemoved) return redirectGone(args, "Failed to delete partner");
  return done(PATH, "Partner deleted successfully");
}

/** `intent=switch` with `isActive`, or `intent=up|down`, for a `partnerId`. */
async function switchOrMove(args: ListRoute.ActionArgs & Posted) {
  const { db, actor, done } = adminOf(args);
  const { intent, partnerId, isActive } = args.fields;
  if (!isId(partnerId)) return fail(400, { formError: "Please try again." });
  const isThere =
    intent === "switch"
      ? await switchPartner(db, { partnerId, isActive: isActive === "true", actor })
      : await movePartner(db, { partnerId, direction: intent as "up" | "down", actor });
  return isThere ? done(PATH, "Partner updated successfully") : redirectGone(args, UPDATE_FAILED);
}

function redirectGone({ context }: Pick<ListRoute.ActionArgs, "context">, title: string) {
  const description = "It has been deleted meanwhile.";
  const { env } = context.get(appContext);
  return redirectWithToast(env, PATH, { title, description, tone: "danger" });
}
