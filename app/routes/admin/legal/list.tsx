import { data } from "react-router";
import { listLegalPages, type StoredLegalPage } from "#app/features/legal/legal-pages.server.ts";
import { log } from "#app/platform/log.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { LoadFailed } from "#app/routes/admin/load-failed.tsx";
import type { Route } from "./+types/list";
import { cancellationWarning, PAGE_NAMES, toSavedView } from "./actions.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  try {
    const pages = await listLegalPages(context.get(appContext).db);
    if (pages.length > 0) return data({ pages: pages.map(toPageView) });
    log.error("no legal pages are stored");
  } catch (error) {
    log.error({ err: error }, "Failed to load legal pages");
  }
  return data({ pages: null }, { status: 500 });
}

function toPageView({ type, title, content, ...saved }: StoredLegalPage) {
  const warning = cancellationWarning(type, content);
  return { type, name: PAGE_NAMES[type], title, saved: toSavedView(saved), warning };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Legal Pages" });

export default function LegalPages({ loaderData: { pages } }: Route.ComponentProps) {
  return (
    <section aria-labelledby="legal-pages" className="grid gap-4">
      <div>
        <h2 id="legal-pages" className="text-lg">
          Legal Pages
        </h2>
        <p className="text-muted">Every text that was replaced is kept.</p>
      </div>
      {pages ? (
        <ul className="grid items-start gap-4 md:grid-cols-2">
          {pages.map((page) => (
            <li key={page.type}>
              <PageCard page={page} />
            </li>
          ))}
        </ul>
      ) : (
        <LoadFailed>Failed to load legal pages</LoadFailed>
      )}
    </section>
  );
}

function PageCard({ page }: { page: ReturnType<typeof toPageView> }) {
  const { type, name, title, saved, warning } = page;
  return (
    <article
      aria-label={name}
      className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:p-6"
    >
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
