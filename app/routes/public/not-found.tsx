import { data } from "react-router";
import { log } from "#app/platform/log.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/not-found";
import { NotFoundScreen } from "#app/routes/error-screens.tsx";

export function loader({ request }: Route.LoaderArgs) {
  // In the browser the router asks for a page's data at its address with .data behind it.
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  log.warn({ path }, "not found");
  return data(null, { status: 404 });
}

/** The loader runs after it, and logs. */
export function action() {
  return data(null, { status: 404 });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Page not found", noindex: true });

export default NotFoundScreen;
