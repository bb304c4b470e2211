import { isRouteErrorResponse } from "react-router";
import type { Route } from "./+types/protected";
import { ErrorScreen, NotFoundScreen } from "#app/routes/error-screens.tsx";
import { playersOnly, viewerContext } from "#app/routes/guards.server.ts";
import { navViewer } from "./nav-viewer.ts";
import { PageOutlet } from "./page-outlet.tsx";
import { SiteShell } from "./site-shell.tsx";

/** Everything under it is for players. */
export const middleware: Route.MiddlewareFunction[] = [playersOnly];

export const handle = { noindex: true };

export function loader({ context }: Route.LoaderArgs) {
  return { viewer: navViewer(context.get(viewerContext)) };
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export default function Protected({ loaderData }: Route.ComponentProps) {
  return (
    <SiteShell viewer={loaderData.viewer}>
      <PageOutlet />
    </SiteShell>
  );
}

/** The navigation stays, unless it is what failed or there is no such page. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />;
  if (!loaderData) return <ErrorScreen error={error} />;
  return (
    <SiteShell viewer={loaderData.viewer}>
      <ErrorScreen error={error} inPage />
    </SiteShell>
  );
}
