import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable } from "@react-router/node";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, ServerRouter } from "react-router";
import type { RouterContextProvider } from "react-router";
import { contentSecurityPolicy } from "./platform/http.server.ts";
import { log } from "./platform/log.server.ts";
import { nonceContext } from "./routes/context.server.ts";

export const streamTimeout = 5_000;

/** Streams a page, under a policy that runs only its own scripts. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> | Response {
  const nonce = context.get(nonceContext);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", contentSecurityPolicy(nonce));
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-cache");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const page = <ServerRouter context={routerContext} url={request.url} nonce={nonce} />;
  // Crawlers do not wait for what streams in later.
  const ready = isbot(request.headers.get("user-agent")) ? "onAllReady" : "onShellReady";

  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      [ready]() {
        const body = new PassThrough();
        body.on("close", () => clearTimeout(timeout));
        pipe(body);
        const stream = createReadableStreamFromReadable(body);
        resolve(new Response(stream, { status, headers }));
      },
      onShellError: reject,
      onError: (error) => log.error({ err: error }, "rendering"),
    });
    const timeout = setTimeout(abort, streamTimeout + 1_000);
  });
}

/** What loaders and actions throw unexpectedly; a browser that went away is no error. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  log.error({ err: error, path: new URL(request.url).pathname }, "request failed");
};
