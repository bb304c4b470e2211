import { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ReactNode } from "react";
import { type PipeableStream, renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { contentSecurityPolicy, paymentSites } from "#app/platform/http.server.ts";
import { log } from "#app/platform/log.server.ts";
import { appContext, nonceContext } from "#app/routes/context.server.ts";
import { hasSessionCookie } from "#app/routes/cookies.server.ts";

export const streamTimeout = 5_000;

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
  keepPrivate(headers, hasSessionCookie(request));
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const page = <ServerRouter context={routerContext} url={request.url} nonce={nonce} />;
  return new Response(await render(page, nonce), { status, headers });
}

/** What a page is made of, when the browser already has the rest of it. */
export const handleDataRequest: HandleDataRequestFunction = (response, { request }) => {
  // A browser that may not keep what a link fetched ahead would fetch it twice.
  const isAhead = request.headers.get("Sec-Purpose")?.includes("prefetch") ?? false;
  keepPrivate(response.headers, hasSessionCookie(request) && !isAhead);
  return response;
};

/**
 * What is said to somebody who is signed in is kept nowhere (ASVS 5.0, 14.3.2), so that Back shows
 * none of it after signing out.
 */
function keepPrivate(headers: Headers, isSecret: boolean) {
  if (headers.has("Cache-Control")) return;
  headers.set("Cache-Control", isSecret ? "private, no-store" : "private, no-cache");
}

function render(page: ReactNode, nonce: string): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      // Whatever its size, what was lazily loaded stands in its place, where no script is needed.
      progressiveChunkSize: Infinity,
      onAllReady() {
        clearTimeout(timeout);
        resolve(collect(pipe).then((html) => withScriptsLast(html, nonce)));
      },
      onShellError: reject,
      onError: (error) => log.error({ err: error }, "rendering"),
    });
    const timeout = setTimeout(abort, streamTimeout + 1_000);
  });
}

/** What is written at once is collected at once: a stream to read from would hand on each piece. */
async function collect(pipe: PipeableStream["pipe"]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const page = new Writable({
    write(piece: Buffer, _encoding, next) {
      pieces.push(piece);
      next();
    },
  });
  await finished(pipe(page));
  return Buffer.concat(pieces);
}

/**
 * A page is whole without its scripts, so that all that is seen comes first: preloads, and the
 * module that starts the rest, stand in the page as mere text until it has been loaded and painted.
 * As Latin-1 every byte is a letter and comes back as it was: to decode a page and encode it again
 * would cost a tenth of its rendering.
 */
function withScriptsLast(page: Buffer, nonce: string): Buffer<ArrayBuffer> {
  const script = `<script nonce="${nonce}"`;
  const html = page
    .toString("latin1")
    .replaceAll('<link rel="modulepreload"', '<link rel="later"')
    .replace(
      `${script} type="module" async="">`,
      () => `${script}>(${startScripts})()</script>${script} type="text/later">`,
    );
  return Buffer.from(html, "latin1");
}

/**
 * Runs in the browser, where it stands as text. The next frame but one comes after a paint; behind
 * other tabs, when the page is looked at. A picture that never comes does not hold it up for ever.
 */
function startScripts() {
  const start = () => {
    const links = document.querySelectorAll<HTMLLinkElement>('link[rel="later"]');
    for (const link of links) link.rel = "modulepreload";
    const script = document.querySelector<HTMLScriptElement>('script[type="text/later"]')!;
    script.type = "module";
    // A script runs when it is put somewhere.
    document.head.append(script);
  };
  const loaded = new Promise((resolve) => addEventListener("load", resolve));
  const waitedLong = new Promise((resolve) => setTimeout(resolve, 10_000));
  void Promise.race([loaded, waitedLong]).then(() =>
    requestAnimationFrame(() => requestAnimationFrame(start)),
  );
}

/** What loaders and actions throw unexpectedly; a browser that went away is no error. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  const { pathname: path } = new URL(request.url);
  // What a client asked for wrongly is no failure of ours.
  const isTheirs = isRouteErrorResponse(error) && error.status < 500;
  if (isTheirs) log.warn({ status: error.status, path }, "request not understood");
  else log.error({ err: error, path }, "request failed");
};
