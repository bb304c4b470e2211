import { listLegalPages, type StoredLegalPage } from "#app/features/legal/legal-pages.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { LoadFailed } from "#app/routes/load-failure.tsx";
import { loadPage } from "#app/routes/admin/load-page.server.ts";
import { AdminPage, panelClass } from "#app/routes/admin/page.tsx";
import type { Route } from "./+types/list";
import { LOAD_FAILED } from "./form.tsx";
import { cancellationWarning, PAGE_NAMES, toSavedView } from "./actions.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return loadPage(LOAD_FAILED, async () => {
    const pages = await listLegalPages(db);
    if (pages.length === 0) throw new Error("no legal pages are stored");
    return pages.map(toPageView);
  });
}

function toPageView({ type, title, content, ...saved }: StoredLegalPage) {
  const warning = cancellationWarning(type, content);
  return { type, name: PAGE_NAMES[type], title, saved: toSavedView(saved), warning };
}

export const meta = metaOf({ title: "Legal Pages" });

export default function LegalPages({ loaderData: { found: pages } }: Route.ComponentProps) {
  return (
    <AdminPage title="Legal Pages" about="Every text that was replaced is kept.">
      {pages ? (
        <ul className="grid items-start gap-4 md:grid-cols-2">
          {pages.map((page) => (
            <li key={page.type}>
              <PageCard page={page} />
            </li>
          ))}
        </ul>
      ) : (
        <LoadFailed>{LOAD_FAILED}</LoadFailed>
      )}
    </AdminPage>
  );
}

function PageCard({ page }: { page: ReturnType<typeof toPageView> }) {
  const { type, name, title, saved, warning } = page;
  return (
    <article aria-label={name} className={panelClass}>
      <div>
        <h3 className="text-base">{name}</h3>
        {title !== name && <p className="wrap-anywhere">{title}</p>}
        <p className="text-sm text-muted tabular-nums">{saved}</p>
      </div>
      {warning && <Notice tone="warn">{warning}</Notice>}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={`/admin/legal/${type}`} aria-label={`Edit ${name}`}>
          Edit
        </ButtonLink>
        <ButtonLink to={`/${type}`} variant="quiet" aria-label={`View the page ${name}`}>
          View the page
        </ButtonLink>
      </div>
    </article>
  );
}
