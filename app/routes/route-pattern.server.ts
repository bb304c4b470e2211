import type { MiddlewareFunction } from "react-router";
import { noteRoute } from "#app/platform/observability/request-scope.server.ts";

/** The log and the metrics name a page by its pattern. */
export const routePatternMiddleware: MiddlewareFunction<Response> = ({ pattern }, next) => {
  noteRoute(pattern);
  return next();
};
