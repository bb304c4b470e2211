import type { Route } from "./+types/semi-public";
import { getViewer } from "../guards.server.ts";
import { navViewer } from "./nav-viewer.ts";
import { PageOutlet } from "./page-outlet.tsx";
import { SiteShell } from "./site-shell.tsx";

/** Pages for everybody: a player's navigation, or a visitor's header with a Sign In button. */
export async function loader({ context }: Route.LoaderArgs) {
  const viewer = await getViewer(context);
  return { viewer: viewer && navViewer(viewer) };
}

export default function SemiPublic({ loaderData }: Route.ComponentProps) {
  return (
    <SiteShell viewer={loaderData.viewer}>
      <PageOutlet />
    </SiteShell>
  );
}
