import { getViewer } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/semi-public";
import { SiteError, SiteLayout, toNavViewer } from "./site-layout.tsx";

/** Pages for everybody: a player's navigation, or a visitor's header with a Sign In button. */
export async function loader({ context }: Route.LoaderArgs) {
  const viewer = await getViewer(context);
  return { viewer: viewer && toNavViewer(viewer) };
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export default SiteLayout;

export const ErrorBoundary = SiteError;
