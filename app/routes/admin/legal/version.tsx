import { findLegalVersion } from "#app/features/legal/legal-pages.server.ts";
import { loadPage } from "#app/routes/admin/load-page.server.ts";
import { AdminPage, NotLoaded } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/version";
import { PAGE_NAMES, parsePageType, parseVersion, toSavedView } from "./actions.server.ts";
import { LEGAL, LOAD_FAILED } from "./form.tsx";
import { LegalText } from "#app/features/legal/legal-text.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  const [type, version] = [parsePageType(params.pageType), parseVersion(params.version)];
  const { db } = context.get(appContext);
  return loadPage(LOAD_FAILED, async () => {
    const text = type && version ? await findLegalVersion(db, { type, version }) : null;
    if (!type || !text) return null;
    const { title, content } = text;
    return { type, name: PAGE_NAMES[type], version, title, content, saved: toSavedView(text) };
  });
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const text = loaderData?.found;
  const title = text ? `${text.name}, version ${text.version}` : "Legal Pages";
  return pageMeta(siteOf(matches), { title });
};

export const ErrorBoundary = missingBoundary(
  "Version not found",
  LEGAL.to,
  LEGAL.label,
  "There is no such version.",
);

export default function LegalVersion({ loaderData: { found } }: Route.ComponentProps) {
  if (!found) return <NotLoaded back={LEGAL} failed={LOAD_FAILED} />;
  const { type, name, version, title, content, saved } = found;
  const path = `/admin/legal/${type}`;
  return (
    <AdminPage
      title={`Version ${version}`}
      back={{ to: path, label: name }}
      about={`${saved}. It has been replaced since.`}
      aside={<ButtonLink to={`${path}?from=${version}`}>Open in the editor</ButtonLink>}
    >
      <article className="rounded-card border border-line bg-canvas p-4 md:p-6">
        <div className="mx-auto grid max-w-2xl gap-6">
          <LegalText title={title} content={content} heading="h3" />
        </div>
      </article>
    </AdminPage>
  );
}
