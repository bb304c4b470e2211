import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import {
  createContext,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { isDatabaseAway } from "./platform/db.server.ts";
import { contentSecurityPolicy, paymentSites } from "./platform/http.server.ts";
import { log } from "./platform/log.server.ts";
import { appContext, nonceContext } from "./routes/context.server.ts";

export const streamTimeout = 5_000;

/** Whether this request failed because the database does not answer. */
const outageContext = createContext(false);

/**
 * Renders a page, under a policy that runs only its own scripts. No page waits for anything once
 * its loaders have answered, so it goes out whole: one piece is cheaper to send and to compress.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext);
  headers.set("Content-Type", "text/html; charset=utf-8");
  const formTargets = paymentSites(context.get(appContext).env);
  const policy = contentSecurityPolicy({ scripts: [`'nonce-${nonce}'`], formTargets });
  headers.set("Content-Security-Policy", policy);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-cache");
  if (status === 500 && context.get(outageContext)) {
    status = 503;
    headers.set("Retry-After", "10");
  }
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const page = <ServerRouter context={routerContext} url={request.url} nonce={nonce} />;
  return new Response(await render(page, nonce), { status, headers });
}

function render(page: ReactNode, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      // Whatever its size, what was lazily loaded stands in its place, where no script is needed.
      progressiveChunkSize: Infinity,
      onAllReady() {
        clearTimeout(timeout);
        resolve(text(pipe(new PassThrough())).then(withScriptsLast));
      },
      onShellError: reject,
      onError: (error) => log.error({ err: error }, "rendering"),
    });
    const timeout = setTimeout(abort, streamTimeout + 1_000);
  });
}

/**
 * A page is whole without its scripts, so that what is seen first is loaded first. The router sets
 * no priority, and React puts the scripts before the styles.
 */
function withScriptsLast(html: string): string {
  const preload = '<link rel="modulepreload"';
  return html.replaceAll(preload, `${preload} fetchpriority="low"`);
}

/** What loaders and actions throw unexpectedly; a browser that went away is no error. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  if (isDatabaseAway(error)) context.set(outageContext, true);
  log.error({ err: error, path: new URL(request.url).pathname }, "request failed");
};
