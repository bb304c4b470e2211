import { queryOf } from "#app/forms/form-fields.server.ts";
import { Link } from "react-router";
import {
  findLegalVersion,
  findStoredPage,
  type LegalPageType,
  listLegalVersions,
} from "#app/features/legal/legal-pages.server.ts";
import { findComingPage } from "#app/features/legal/coming-pages.server.ts";
import { resultOf } from "#app/forms/form-result.ts";
import { monthDayYear } from "#app/platform/clock.ts";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { loadPage } from "#app/routes/admin/load-page.server.ts";
import { AdminPage, NotLoaded, Part } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { Route } from "./+types/edit";
import {
  cancellationWarning,
  editAction,
  type LegalResult,
  PAGE_NAMES,
  parsePageType,
  parseVersion,
  toSavedView,
} from "./actions.server.ts";
import { ComingText, LEGAL, LegalForm, LegalPreview, LOAD_FAILED } from "./form.tsx";

const VERSIONS_SHOWN = 50;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const type = parsePageType(params.pageType);
  const query = queryOf(request);
  return loadPage(LOAD_FAILED, async () => type && loadEditor(db, type, query));
}

/** The stored text, or with `from` a former one, and a page of former ones. Throws without one. */
async function loadEditor(db: Db, type: LegalPageType, query: URLSearchParams) {
  const [before = null] = readCursor(query.get("before"), 1) ?? [];
  const from = parseVersion(query.get("from"));
  const [page, coming, versions, former] = await Promise.all([
    findStoredPage(db, type),
    findComingPage(db, type),
    listLegalVersions(db, { type, before: parseVersion(before), limit: VERSIONS_SHOWN + 1 }),
    from === null ? null : findLegalVersion(db, { type, version: from }),
  ]);
  if (!page) throw new Error(`no legal page is stored: ${type}`);
  const opened = query.get("from") === "coming" ? coming : null;
  const { title, content } = opened ?? former ?? page;
  const shown = versions.slice(0, VERSIONS_SHOWN);
  const last = versions.length > VERSIONS_SHOWN ? shown.at(-1) : undefined;
  const path = `/admin/legal/${type}`;
  return {
    ...{ type, name: PAGE_NAMES[type], version: page.version, title, content },
    saved: toSavedView(page),
    coming: coming && {
      ...{ title: coming.title, saved: toSavedView(coming) },
      from: monthDayYear(coming.holdsFrom),
    },
    comingVersion: coming?.version ?? 0,
    holdsFrom: opened?.holdsFrom ?? "",
    former: former?.version ?? null,
    warning: cancellationWarning(type, content),
    versions: shown.map(({ version, title, ...saved }) => ({
      ...{ version, title, saved: toSavedView(saved) },
    })),
    next: last ? `${path}?before=${writeCursor([String(last.version)])}` : null,
    first: before === null ? null : path,
  };
}

export type Editor = Awaited<ReturnType<typeof loadEditor>>;

export const action = editAction;

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const name = loaderData?.found?.name;
  return pageMeta(siteOf(matches), { title: name ? `Edit ${name}` : "Legal Pages" });
};

export const ErrorBoundary = missingBoundary(
  "Page not found",
  LEGAL.to,
  LEGAL.label,
  "There is no such page.",
);

export default function EditLegalPage({ loaderData, actionData }: Route.ComponentProps) {
  const { found: editor } = loaderData;
  if (!editor) return <NotLoaded back={LEGAL} failed={LOAD_FAILED} />;
  return <EditorView editor={editor} result={actionData} />;
}

function EditorView({ editor, result }: { editor: Editor; result: LegalResult | undefined }) {
  const { type, name, version, former, saved, warning, comingVersion, holdsFrom } = editor;
  const preview = result?.preview;
  return (
    <AdminPage
      title={name}
      back={LEGAL}
      about={saved}
      aside={<ButtonLink to={`/${type}`}>View the page</ButtonLink>}
    >
      {former && (
        <Notice tone="info">
          This is version {former}. Nothing has changed yet: save it to publish it again.
        </Notice>
      )}
      {warning && !preview && <Notice tone="warn">{warning}</Notice>}
      {preview && <LegalPreview preview={preview} />}
      <ComingText editor={editor} result={result} />
      <LegalForm
        key={`${type} ${version} ${former} ${comingVersion} ${holdsFrom}`}
        editor={editor}
        result={resultOf(result, "preview", "save")}
      />
      <PreviousVersions editor={editor} />
    </AdminPage>
  );
}

function PreviousVersions({ editor: { type, versions, first, next } }: { editor: Editor }) {
  return (
    <Part title="Previous versions" className="mt-4 grid gap-3">
      {versions.length === 0 && <p className="text-muted">This text has not been replaced yet.</p>}
      <ul className="divide-y divide-line">
        {versions.map(({ version, title, saved }) => (
          <li key={version}>
            <Link
              to={`/admin/legal/${type}/versions/${version}`}
              className="flex min-h-14 flex-col justify-center gap-x-6 py-2 hover:bg-sunken md:flex-row md:items-center md:justify-between md:px-2"
            >
              <span className="font-semibold wrap-anywhere underline underline-offset-4">
                Version {version}: {title}
              </span>
              <span className="text-sm text-muted tabular-nums">{saved}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Pager label="Previous versions" first={first} next={next} />
    </Part>
  );
}
