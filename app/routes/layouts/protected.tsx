import type { Route } from "./+types/protected";
import { requirePlayer } from "../guards.server.ts";
import { navViewer } from "./nav-viewer.ts";
import { PageOutlet } from "./page-outlet.tsx";
import { SiteShell } from "./site-shell.tsx";

/** Pages for players: without a user, to "/". */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    await requirePlayer(context, request, { to: "/" });
  },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  return { viewer: navViewer(await requirePlayer(context, request, { to: "/" })) };
}

export default function Protected({ loaderData }: Route.ComponentProps) {
  return (
    <SiteShell viewer={loaderData.viewer}>
      <PageOutlet />
    </SiteShell>
  );
}
