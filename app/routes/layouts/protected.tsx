import { isRouteErrorResponse } from "react-router";
import { toDoMarks } from "#app/routes/admin/to-do.server.ts";
import { playersOnly, viewerContext } from "#app/routes/guards.server.ts";
import { countUnread } from "#app/routes/unread.server.ts";
import { viewerPlaceholders } from "#app/routes/viewer-placeholders.server.ts";
import type { Route } from "./+types/protected";
import { SiteError, SiteLayout } from "./site-layout.tsx";
import { toNavViewer } from "#app/routes/site-shell.tsx";
import { NotFoundError } from "#app/routes/error-screens.tsx";

export const middleware: Route.MiddlewareFunction[] = [playersOnly];

export const handle = { noindex: true };

export async function loader({ context, request }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  const own = viewerPlaceholders(context);
  const [unread, marks] = await Promise.all([
    countUnread(context, request, viewer.userId),
    viewer.isAdmin ? toDoMarks(context) : null,
  ]);
  return { viewer: toNavViewer(viewer, { unread, toDo: marks?.toDo ?? null, own }) };
}

export default SiteLayout;

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundError />;
  return <SiteError error={error} loaderData={loaderData} />;
}
