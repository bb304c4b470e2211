import { data } from "react-router";
import type { Route } from "./+types/not-found";
import { log } from "../../platform/log.server.ts";
import { pageMeta, siteOf } from "../meta.ts";
import { NotFoundScreen } from "../not-found-screen.tsx";

/** Any other path: the page says so, and the path is logged. */
export function loader({ request }: Route.LoaderArgs) {
  log.warn({ path: new URL(request.url).pathname }, "not found");
  return data(null, { status: 404 });
}

export function action({ request }: Route.ActionArgs) {
  log.warn({ path: new URL(request.url).pathname, method: request.method }, "not found");
  return data(null, { status: 404 });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Page not found", noindex: true });

export default NotFoundScreen;
