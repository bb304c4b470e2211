import { data } from "react-router";
import { findLegalVersion } from "#app/features/legal/legal-pages.server.ts";
import { log } from "#app/platform/log.server.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { LoadFailed } from "#app/routes/admin/load-failed.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/version";
import { PAGE_NAMES, parsePageType, parseVersion, toSavedView } from "./actions.server.ts";
import { LegalText } from "#app/features/legal/legal-text.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  const [type, version] = [parsePageType(params.pageType), parseVersion(params.version)];
  const missing = data({ text: null, isMissing: true }, { status: 404 });
  if (!type || !version) return missing;
  try {
    const found = await findLegalVersion(context.get(appContext).db, { type, version });
    if (!found) return missing;
    const { title, content } = found;
    const [path, name] = [`/admin/legal/${type}`, PAGE_NAMES[type]];
    const text = { path, name, version, title, content, saved: toSavedView(found) };
    return data({ text, isMissing: false });
  } catch (error) {
    log.error({ err: error, type }, "Failed to load legal pages");
    return data({ text: null, isMissing: false }, { status: 500 });
  }
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const text = loaderData?.text;
  const title = text ? `${text.name}, version ${text.version}` : "Legal Pages";
  return pageMeta(siteOf(matches), { title });
};

export default function LegalVersion({ loaderData: { text, isMissing } }: Route.ComponentProps) {
  if (!text) {
    return (
      <div className="grid gap-4">
        <BackLink to="/admin/legal">Legal Pages</BackLink>
        {isMissing && <EmptyState>There is no such version.</EmptyState>}
        {!isMissing && <LoadFailed>Failed to load legal pages</LoadFailed>}
      </div>
    );
  }
  const { path, name, version, title, content, saved } = text;
  return (
    <div className="grid gap-4">
      <BackLink to={path}>{name}</BackLink>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-lg">Version {version}</h2>
          <p className="text-sm text-muted tabular-nums">{saved}. It has been replaced since.</p>
        </div>
        <ButtonLink to={`${path}?from=${version}`}>Open in the editor</ButtonLink>
      </div>
      <article className="rounded-card border border-line bg-canvas p-4 md:p-6">
        <div className="mx-auto grid max-w-2xl gap-6">
          <LegalText title={title} content={content} heading="h3" />
        </div>
      </article>
    </div>
  );
}
