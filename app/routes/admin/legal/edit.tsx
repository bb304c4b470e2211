import { data, Link } from "react-router";
import {
  findLegalVersion,
  findStoredPage,
  type LegalPageType,
  listLegalVersions,
} from "#app/features/legal/legal-pages.server.ts";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { LoadFailed } from "#app/routes/admin/load-failed.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
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
import { LegalForm, LegalPreview } from "./form.tsx";

const SHOWN = 50;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const type = parsePageType(params.pageType);
  if (!type) return data({ editor: null, isMissing: true }, { status: 404 });
  try {
    const query = new URL(request.url).searchParams;
    const editor = await loadEditor(context.get(appContext).db, type, query);
    if (editor) return data({ editor, isMissing: false });
    log.error({ type }, "no legal page is stored");
  } catch (error) {
    log.error({ err: error, type }, "Failed to load legal pages");
  }
  return data({ editor: null, isMissing: false }, { status: 500 });
}

/**
 * The text that the editor begins with, the stored one or with `from` a former one, and a page of
 * the former texts. Null where none is stored.
 */
async function loadEditor(db: Db, type: LegalPageType, query: URLSearchParams) {
  const [before = null] = readCursor(query.get("before"), 1) ?? [];
  const from = parseVersion(query.get("from"));
  const [page, versions, former] = await Promise.all([
    findStoredPage(db, type),
    listLegalVersions(db, { type, before: parseVersion(before), limit: SHOWN + 1 }),
    from === null ? null : findLegalVersion(db, { type, version: from }),
  ]);
  if (!page) return null;
  const { title, content } = former ?? page;
  const shown = versions.slice(0, SHOWN);
  const last = versions.length > SHOWN ? shown.at(-1) : undefined;
  const path = `/admin/legal/${type}`;
  return {
    ...{ type, name: PAGE_NAMES[type], version: page.version, title, content },
    saved: toSavedView(page),
    former: former?.version ?? null,
    warning: cancellationWarning(type, content),
    versions: shown.map((each) => ({
      ...{ version: each.version, title: each.title, saved: toSavedView(each) },
    })),
    next: last ? `${path}?before=${writeCursor([String(last.version)])}` : null,
    first: before === null ? null : path,
  };
}

export type Editor = NonNullable<Awaited<ReturnType<typeof loadEditor>>>;

export const action = editAction;

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const name = loaderData?.editor?.name;
  return pageMeta(siteOf(matches), { title: name ? `Edit ${name}` : "Legal Pages" });
};

export default function EditLegalPage({ loaderData, actionData }: Route.ComponentProps) {
  const { editor, isMissing } = loaderData;
  return (
    <div className="grid gap-4">
      <BackLink to="/admin/legal">Legal Pages</BackLink>
      {editor && <EditorView editor={editor} result={actionData} />}
      {!editor && isMissing && <EmptyState>There is no such page.</EmptyState>}
      {!editor && !isMissing && <LoadFailed>Failed to load legal pages</LoadFailed>}
    </div>
  );
}

function EditorView({ editor, result }: { editor: Editor; result: LegalResult | undefined }) {
  const { type, name, version, former, saved, warning } = editor;
  const preview = result?.preview;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-lg">{name}</h2>
          <p className="text-sm text-muted tabular-nums">{saved}</p>
        </div>
        <ButtonLink to={`/${type}`}>View the page</ButtonLink>
      </div>
      {former && (
        <Notice tone="info">
          This is version {former}. Nothing has changed yet: save it to publish it again.
        </Notice>
      )}
      {warning && !preview && <Notice tone="warn">{warning}</Notice>}
      {preview && <LegalPreview preview={preview} />}
      <LegalForm key={`${type} ${version} ${former}`} editor={editor} result={result} />
      <PreviousVersions editor={editor} />
    </>
  );
}

function PreviousVersions({ editor: { type, versions, first, next } }: { editor: Editor }) {
  return (
    <section aria-labelledby="previous-versions" className="mt-4 grid gap-3">
      <h3 id="previous-versions" className="text-base">
        Previous versions
      </h3>
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
    </section>
  );
}
