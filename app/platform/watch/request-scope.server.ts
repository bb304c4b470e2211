import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

export interface RequestScope {
  /** In the log, the X-Request-Id of the response and on error screens. */
  id: string;
  /** The route's pattern, such as /events/:gameId: never an address, which may hold a token. */
  route: string;
  /** Of an address without a page, without what may be secret. */
  path?: string;
  failure?: string;
}

const scopes = new AsyncLocalStorage<RequestScope>();

export function withinScope<T>(scope: RequestScope, run: () => T): T {
  return scopes.run(scope, run);
}

export function currentRequest(): RequestScope | undefined {
  return scopes.getStore();
}

/** The router's own patterns begin without a slash. */
export function noteRoute(pattern: string): void {
  const scope = scopes.getStore();
  if (scope) scope.route = /^[/(]/.test(pattern) ? pattern : `/${pattern}`;
}

export function noteUnknownPath(path: string): void {
  const scope = scopes.getStore();
  if (scope) scope.path = path;
}

/** A proxy's id is kept if it cannot break a log line or a header; ours fits a line of a phone. */
export function requestId(given: unknown): string {
  return typeof given === "string" && /^[\w-]{1,64}$/.test(given)
    ? given
    : randomBytes(8).toString("hex");
}
