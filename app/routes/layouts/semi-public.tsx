import type { Route } from "./+types/semi-public";
import { ErrorScreen } from "#app/routes/error-screens.tsx";
import { getViewer } from "#app/routes/guards.server.ts";
import { navViewer } from "./nav-viewer.ts";
import { PageOutlet } from "./page-outlet.tsx";
import { SiteShell } from "./site-shell.tsx";

/** Pages for everybody: a player's navigation, or a visitor's header with a Sign In button. */
export async function loader({ context }: Route.LoaderArgs) {
  const viewer = await getViewer(context);
  return { viewer: viewer && navViewer(viewer) };
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export default function SemiPublic({ loaderData }: Route.ComponentProps) {
  return (
    <SiteShell viewer={loaderData.viewer}>
      <PageOutlet />
    </SiteShell>
  );
}

/** The navigation stays, unless it is what failed. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  if (!loaderData) return <ErrorScreen error={error} />;
  return (
    <SiteShell viewer={loaderData.viewer}>
      <ErrorScreen error={error} inPage />
    </SiteShell>
  );
}
