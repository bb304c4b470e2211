import type { IncomingMessage, ServerResponse } from "node:http";
import { type Span, SpanStatusCode } from "@opentelemetry/api";
import { log } from "#app/platform/log.server.ts";
import { requestSeconds } from "./metrics.server.ts";
import { requestId, type RequestScope, withinScope } from "./request-scope.server.ts";
import { inRequestSpan } from "./traces.server.ts";

/** No route matched: a built file. */
const FILE = "(file)";
/** Asked for every second or two, or ten at once: counted, but logged only on failure. */
const QUIET = new Set([FILE, "/healthz", "/readyz"]);
const METHODS = new Set(["GET", "HEAD", "POST"]);

interface Options {
  isLogged: boolean;
  /** Without a proxy, the browser's own headers must not name the request. */
  hasProxy: boolean;
}

export function observeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { isLogged, hasProxy }: Options,
  answer: () => void,
): void {
  const given = hasProxy ? request.headers : {};
  const scope: RequestScope = { id: requestId(given["x-request-id"]), route: FILE };
  const started = performance.now();
  const { socket } = request;
  const before = socket.bytesWritten;
  response.setHeader("X-Request-Id", scope.id);
  inRequestSpan(given["traceparent"], (span) => {
    response.once("close", () => {
      const ended = performance.now();
      const ms = ended - started;
      const ownMs = scope.body ? ended - (scope.body.endedAt ?? ended) : ms;
      const access = describe(request, response, scope);
      endSpan(span, access);
      // A stream lasts as long as its page is open.
      if (scope.route !== "/live") requestSeconds.observe(labels(access), ownMs / 1_000);
      const isQuiet = QUIET.has(scope.route) && access.status < 500;
      if (!(isLogged || scope.path) || isQuiet) return;
      const bytes = socket.bytesWritten - before;
      withinScope(scope, () => log.info({ ...access, ms: Math.round(ms), bytes }, "request"));
    });
    withinScope(scope, answer);
  });
}

function describe(request: IncomingMessage, response: ServerResponse, scope: RequestScope) {
  const { method = "" } = request;
  return {
    method: METHODS.has(method) ? method : "other",
    route: scope.route,
    // nginx's status for a client that left before the response.
    status: response.headersSent ? response.statusCode : 499,
    ...(response.writableFinished ? {} : { aborted: true }),
    ...(scope.path && { path: scope.path }),
    ...(scope.failure && { failure: scope.failure }),
  };
}

type Access = ReturnType<typeof describe>;

const labels = ({ method, route, status }: Access) => ({ method, route, status });

function endSpan(span: Span, { method, route, status }: Access): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status,
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
