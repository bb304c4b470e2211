import type { MiddlewareFunction } from "react-router";
import { noteRoute } from "#app/platform/watch/request-scope.server.ts";

/** The log and the metrics name a page by its pattern. */
export const watchMiddleware: MiddlewareFunction<Response> = ({ pattern }, next) => {
  noteRoute(pattern);
  return next();
};
