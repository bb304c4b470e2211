import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

export interface RequestScope {
  /** In the log, the X-Request-Id of the response and on error screens. */
  id: string;
  /** The route's pattern, such as /events/:gameId: never an address, which may hold a token. */
  route: string;
  /** Address without a page, without what may be secret. */
  path?: string;
  failure?: string;
  /** Since when its body is there; without `endedAt` it is still coming. */
  body?: { endedAt?: number };
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

/** The time that a client takes to send its body is not ours. Returns what ends it. */
export function timeBody(): () => void {
  const body: RequestScope["body"] = {};
  const scope = scopes.getStore();
  if (scope) scope.body = body;
  return () => void (body.endedAt = performance.now());
}

/** A proxy's id is kept if it cannot break a log line or a header; ours fits a line of a phone. */
export function requestId(given: unknown): string {
  return typeof given === "string" && /^[\w-]{1,64}$/.test(given)
    ? given
    : randomBytes(8).toString("hex");
}
