import type { IncomingMessage, ServerResponse } from "node:http";
import { type Span, SpanStatusCode } from "@opentelemetry/api";
import { log } from "#app/platform/log.server.ts";
import { requestSeconds } from "./metrics.server.ts";
import { requestId, type RequestScope, withinScope } from "./request-scope.server.ts";
import { inRequestSpan } from "./traces.server.ts";

/** What no route has claimed: built files. */
const FILE = "(file)";
/** Asked for every second or two, or ten at once: counted, and logged only where they fail. */
const QUIET = new Set([FILE, "/healthz", "/readyz"]);
const METHODS = new Set(["GET", "HEAD", "POST"]);

interface Options {
  isLogged: boolean;
  /** Else a browser's own headers would say which request this is. */
  hasProxy: boolean;
}

/** Gives the request its id, counts it, and logs it in one line once its response has ended. */
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
      const ms = performance.now() - started;
      const access = describe(request, response, scope);
      endSpan(span, access);
      // A stream is as long as its page is open.
      if (scope.route !== "/live") requestSeconds.observe(labels(access), ms / 1_000);
      const isQuiet = QUIET.has(scope.route) && access.status < 500;
      if (!isLogged || isQuiet) return;
      const bytes = socket.bytesWritten - before;
      withinScope(scope, () => log.info({ ...access, ms: Math.round(ms), bytes }, "request"));
    });
    withinScope(scope, answer);
  });
}

/** Without an address, a user or a browser. */
function describe(request: IncomingMessage, response: ServerResponse, scope: RequestScope) {
  const { method = "" } = request;
  return {
    method: METHODS.has(method) ? method : "other",
    route: scope.route,
    // As nginx calls it if the client goes before it has been answered.
    status: response.headersSent ? response.statusCode : 499,
    ...(response.writableFinished ? {} : { aborted: true }),
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
