import { toDoMarks } from "#app/routes/admin/to-do.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import { countUnread } from "#app/routes/unread.server.ts";
import { viewerPlaceholders } from "#app/routes/viewer-placeholders.server.ts";
import type { Route } from "./+types/semi-public";
import { SiteError, SiteLayout } from "./site-layout.tsx";
import { toNavViewer } from "#app/routes/site-shell.tsx";

/** Pages for everybody: players get the navigation, visitors a Sign In button. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const viewer = await getViewer(context);
  if (!viewer) return { viewer };
  const own = viewerPlaceholders(context);
  const [unread, marks] = await Promise.all([
    countUnread(context, request, viewer.userId),
    viewer.isAdmin ? toDoMarks(context) : null,
  ]);
  return { viewer: toNavViewer(viewer, { unread, toDo: marks?.toDo ?? null, own }) };
}

export default SiteLayout;

export const ErrorBoundary = SiteError;
