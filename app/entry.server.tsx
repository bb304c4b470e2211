import { createHash } from "node:crypto";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { brotliCompressSync, constants } from "node:zlib";
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
// oxlint-disable-next-line import/default -- Vite makes it: the file's address.
import vitalsUrl from "web-vitals?url";
import { contentSecurityPolicy, paymentSites } from "#app/platform/http.server.ts";
import { log } from "#app/platform/log.server.ts";
import { acceptsEncoding, createPageCache } from "#app/platform/page-cache.server.ts";
import {
  cutTemplate,
  fillTemplate,
  placeholder,
  type Template,
} from "#app/platform/page-template.server.ts";
import { REOPENED_COOKIE, watchAccount } from "#app/forms/account-watch.ts";
import { appContext, nonceContext } from "#app/routes/context.server.ts";
import { hasSessionCookie } from "#app/routes/cookies.server.ts";
import { placeholdersContext } from "#app/routes/viewer-placeholders.server.ts";
import { withoutSecrets } from "#app/routes/security/security-log.server.ts";
import { pagesRendered } from "#app/platform/observability/metrics.server.ts";
import { currentRequest } from "#app/platform/observability/request-scope.server.ts";
import { ErrorReference } from "#app/ui/error-reference.ts";
import { keepFocus } from "#app/ui/kept-focus.ts";

export const streamTimeout = 5_000;

/** Sent in one piece, since nothing is awaited after the loaders; that is cheaper to compress. */
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
  const { staticHandlerContext, serverHandoffStream } = routerContext;
  const isShared =
    status === 200 &&
    request.method === "GET" &&
    !staticHandlerContext.errors &&
    SHARED.has(staticHandlerContext.matches.at(-1)!.route.id);
  const data = await buffer(serverHandoffStream!);
  const key = pageKey(request.url, data);
  const make = async () => {
    pagesRendered.inc();
    const router = { ...routerContext, serverHandoffStream: new Response(data).body! };
    const page = (
      <ErrorReference value={isShared ? "" : (currentRequest()?.id ?? "")}>
        <ServerRouter context={router} url={request.url} nonce={placeholder(NONCE)} />
      </ErrorReference>
    );
    const html = await render(page, () => templates.drop(key));
    return cutTemplate(withScriptsLast(html));
  };
  const template = await (isShared ? templates.getOrRender(key, "", make) : make());
  const words = new Map([...(context.get(placeholdersContext) ?? []), [NONCE, nonce]]);
  const html = fillTemplate(template, words);
  const isCompressed = acceptsEncoding(request.headers.get("Accept-Encoding") ?? "", "br");
  if (isCompressed) headers.set("Content-Encoding", "br");
  const body = isCompressed ? brotliCompressSync(html, BROTLI) : html;
  return new Response(body, { status, headers });
}

// A third of a millisecond at once; as a stream through other threads it took several.
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 17 },
};

// Pages of other routes are for one person alone: nothing of them is kept.
const SHARED = new Set(["routes/games/list/list", "routes/games/show"]);

const NONCE = "nonce";
/** About 20 MB. In development pages change with their sources. */
const templates = createPageCache<Template>(import.meta.env.MODE === "development" ? 0 : 300);

// Whatever React writes follows from these two: the data is all that the browser hydrates with.
function pageKey(url: string, data: Buffer): string {
  return createHash("sha256").update(`${url}\n`).update(data).digest("base64");
}

export const handleDataRequest: HandleDataRequestFunction = (response, { request }) => {
  // The browser would fetch a prefetched link twice if it were no-store.
  const isAhead = request.headers.get("Sec-Purpose")?.includes("prefetch") ?? false;
  keepPrivate(response.headers, hasSessionCookie(request) && !isAhead);
  return response;
};

/** Private responses are not stored (ASVS 5.0, 14.3.2): Back shows nothing after signing out. */
function keepPrivate(headers: Headers, isSecret: boolean) {
  if (headers.has("Cache-Control")) return;
  headers.set("Cache-Control", isSecret ? "private, no-store" : "private, no-cache");
}

function render(page: ReactNode, onBroken: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce: placeholder(NONCE),
      // Suspended content stays inline whatever its size, so it needs no script.
      progressiveChunkSize: Infinity,
      onAllReady() {
        clearTimeout(timeout);
        resolve(collect(pipe));
      },
      onShellError: reject,
      onError(error) {
        log.error({ err: error }, "rendering");
        onBroken();
      },
    });
    const timeout = setTimeout(abort, streamTimeout + 1_000);
  });
}

/** One piece instead of the many chunks of a readable stream. */
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

// Everything visible comes first: preloads and the entry module stay inert until the first paint.
// Latin-1 keeps every byte; decoding and encoding UTF-8 would cost a tenth of the rendering.
function withScriptsLast(page: Buffer): string {
  const script = `<script nonce="${placeholder(NONCE)}"`;
  return (
    page
      .toString("latin1")
      // HTML holds no NUL, and React writes those that were typed.
      .replaceAll("\0", "&#xfffd;")
      .replaceAll('<link rel="modulepreload"', '<link rel="later"')
      .replace(
        `${script} type="module" async="">`,
        () =>
          `${script}>(${noteChanges})();(${startScripts})();(${watchAccount})("${REOPENED_COOKIE}");(${keepFocus})();(${showReference})();${MEASURING}</script>${script} type="text/later">`,
      )
  );
}

// Runs in the browser, from its source text. The next frame but one follows a paint; in a
// background tab it waits until the page is seen. A picture that never loads does not block it.
function startScripts() {
  const start = () => {
    const links = document.querySelectorAll<HTMLLinkElement>('link[rel="later"]');
    for (const link of links) link.rel = "modulepreload";
    const script = document.querySelector<HTMLScriptElement>('script[type="text/later"]')!;
    script.type = "module";
    // An inserted script runs.
    document.head.append(script);
  };
  const loaded = new Promise((resolve) => addEventListener("load", resolve));
  const waitedLong = new Promise((resolve) => setTimeout(resolve, 10_000));
  void Promise.race([loaded, waitedLong]).then(() =>
    requestAnimationFrame(() => requestAnimationFrame(start)),
  );
}

// Also runs in the browser, which may translate the page before scripts start (ui/translation.ts).
function noteChanges() {
  const records: MutationRecord[] = [];
  const note = (list: MutationRecord[]) => void records.push(...list);
  const observer = new MutationObserver((list) => window.early.note(list));
  window.early = { observer, records, note };
  observer.observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    characterDataOldValue: true,
  });
}

// Also runs in the browser. Of what the page has fetched, scripts see no header but Server-Timing,
// which failed requests have (outage.server.ts). The page itself is first in the list.
function showReference() {
  const show = ({ target }: Event) => {
    const shown = (target as Element).querySelector("[data-reference]");
    const loaded = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
    const ids = (loaded as PerformanceResourceTiming[]).flatMap(
      ({ serverTiming }) => serverTiming ?? [],
    );
    const id = ids.at(-1)?.description;
    if (shown && id) shown.textContent = `Error reference: ${id}`;
  };
  addEventListener("toggle", show, { capture: true });
}

// In development Vite rewrites the function's text, and no browser can run that.
const MEASURING = import.meta.env.PROD ? `(${measure})("${vitalsUrl}")` : "";

// Also runs in the browser. One visit in ten reports its speed when the page is left, without
// saying whose it was. Browsers that a program controls report nothing.
function measure(library: string) {
  if (navigator.webdriver || Math.random() > 0.1) return;
  const vitals: Record<string, string | number> = { page: location.pathname };
  const keep = (metric: { name: string; value: number }) => {
    vitals[metric.name] = metric.value;
  };
  const send = () => {
    if (document.visibilityState !== "hidden" || !("LCP" in vitals)) return;
    navigator.sendBeacon("/vitals", JSON.stringify(vitals));
    // Once a visit: a page that returns from the browser's cache is painted again.
    delete vitals["LCP"];
  };
  const start = async () => {
    const { onCLS, onINP, onLCP } = (await import(/* @vite-ignore */ library)) as Library;
    for (const on of [onCLS, onINP, onLCP]) on(keep);
    addEventListener("visibilitychange", send);
  };
  setTimeout(start, 3_000);
}

type Library = typeof import("web-vitals");

/** Unexpected errors of loaders and actions; a closed connection is no error. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  const path = withoutSecrets(new URL(request.url).pathname);
  const isTheirs = isRouteErrorResponse(error) && error.status < 500;
  if (isTheirs) log.warn({ status: error.status, path }, "client error");
  else log.error({ err: error, path }, "request failed");
};
