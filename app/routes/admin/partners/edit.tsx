import { changeLogo, partners, removePartner } from "#app/features/partners/partners.server.ts";
import { LOGO_TOO_LARGE, NO_IMAGE } from "#app/features/partners/rules.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { type Answer, rejected } from "#app/forms/form-rows.server.ts";
import { resultOf } from "#app/forms/form-result.ts";
import { TRY_AGAIN } from "#app/forms/messages.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { EntityEditor, editorMeta } from "#app/routes/admin/entity/editor.tsx";
import { loadEditor } from "#app/routes/admin/entity/form-view.server.ts";
import { adminRow } from "#app/routes/admin/admin-action.server.ts";
import { entityAction, entityRows, redirectGone } from "#app/routes/admin/entity/rows.server.ts";
import { loadPage } from "#app/routes/admin/load-page.server.ts";
import { Panel } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { ownPath } from "#app/ui/picture.tsx";
import type { Route } from "./+types/edit";
import { LogoForm } from "./logo.tsx";

const LIST = { to: "/admin/partners", label: "Partners" };
const FAILED = "Failed to fetch partners";

export const loader = ({ context, params: { partnerId: id } }: Route.LoaderArgs) =>
  loadPage(FAILED, () =>
    loadEditor(context.get(appContext).db, partners, {
      id,
      toView: ({ id, name, logoUrl }) => ({
        ...{ id, name: name || "Partner", logoUrl: ownPath(logoUrl) },
      }),
    }),
  );

const rows = entityRows(partners, {
  failed: { save: "Failed to update partner" },
  created: { title: "Partner added successfully", description: "Now give it a logo." },
  saved: "Partner updated successfully",
  removed: "Partner deleted successfully",
  remove: ({ db, env, ...of }) => removePartner({ db, files: openFiles(env) }, of),
});

const LOGO_FAILED = "Failed to upload logo";

const rejectedFile = (why: string): Answer => [
  "invalid",
  { fieldErrors: { logo: `${why} Save it as a PNG and try again.` } },
];
const rejectedSvg = (why: string) => rejectedFile(`This SVG ${why}.`);

const logo = adminRow({
  ...{ failed: LOGO_FAILED, isRepeatUnsafe: true },
  run: async ({ db, env, actor, form, params: { partnerId: id = "" } }) => {
    const file = form.get("logo");
    if (!(file instanceof File)) return rejected("not-an-image");
    const bytes = Buffer.from(await file.arrayBuffer());
    return changeLogo({ db, files: openFiles(env) }, { id, bytes, actor });
  },
  errors: {
    gone: (_, { env }) => redirectGone(env, LIST.to, LOGO_FAILED),
    busy: ["busy", TRY_AGAIN],
    "not-an-image": ["invalid", { fieldErrors: { logo: NO_IMAGE } }],
    "too-large": ["too-large", { fieldErrors: { logo: LOGO_TOO_LARGE } }],
    "svg-script": rejectedSvg("has a script in it"),
    "svg-outside": rejectedSvg("refers to something outside of it, such as a font or a picture"),
    "svg-too-large": rejectedSvg("is larger than half a megabyte"),
    "svg-repeats": rejectedSvg("repeats its shapes too often"),
    "svg-not-utf8": rejectedSvg("is not stored as UTF-8"),
    unreadable: rejectedFile("This image is broken, or larger than 25 megapixels."),
  },
  done: { title: "Logo uploaded successfully" },
});

export const action = entityAction(
  partners,
  formActions({ save: rows.save, remove: rows.remove, logo }),
  formActions({ save: rows.create }),
);

export const meta = editorMeta("Add partner", "Partner not found");

export const ErrorBoundary = missingBoundary(
  "Partner not found",
  LIST.to,
  LIST.label,
  "There is no such partner any more.",
);

export default function EditPartner({ loaderData: { found }, actionData }: Route.ComponentProps) {
  const text =
    `${found?.row?.name} leaves the front page, and its logo is deleted for good. ` +
    "To take it off the page for a while, switch it off instead.";
  return (
    <EntityEditor
      {...{ noun: "partner", found, result: actionData, failed: FAILED, deletion: text }}
    >
      {found?.row && (
        <Panel title="Logo">
          <LogoForm partner={found.row} result={resultOf(actionData, "logo")} />
        </Panel>
      )}
    </EntityEditor>
  );
}
