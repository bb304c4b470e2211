import { data } from "react-router";
import { noteUnknownPath } from "#app/platform/observability/request-scope.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { pagePath } from "#app/routes/page-path.ts";
import { withoutSecrets } from "#app/routes/security/security-log.server.ts";
import type { Route } from "./+types/not-found";
import { NotFoundScreen } from "#app/routes/error-screens.tsx";

export function loader({ request }: Route.LoaderArgs) {
  noteUnknownPath(withoutSecrets(pagePath(request.url)));
  return data(null, { status: 404 });
}

/** The loader runs next, and notes the path. */
export function action() {
  return data(null, { status: 404 });
}

export const meta = metaOf({ title: "Page not found", noindex: true });

export default NotFoundScreen;
