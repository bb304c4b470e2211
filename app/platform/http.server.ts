import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Env } from "./env.server.ts";

// In development Vite puts styles into the page and talks to it by WebSocket.
const isDevelopment = import.meta.env?.DEV ?? false;

const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
  "font-src 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  `style-src 'self'${isDevelopment ? " 'unsafe-inline'" : ""}`,
  "worker-src 'self'",
];

export function contentSecurityPolicy(
  sources: { scripts?: string[]; formTargets?: string[] } = {},
) {
  const { scripts = [], formTargets = [] } = sources;
  return [
    ...POLICY,
    ["form-action 'self'", ...formTargets].join(" "),
    ["script-src 'self'", ...scripts].join(" "),
  ].join("; ");
}

/** Chrome applies form-action to redirects after a post too, so Stripe's sites must be in it. */
export function paymentSites({
  appUrl,
  paymentLinkPrefix,
  stripeSecretKey,
}: Pick<Env, "appUrl" | "paymentLinkPrefix" | "stripeSecretKey">): string[] {
  const checkout = new URL(paymentLinkPrefix, appUrl).origin;
  const sites = checkout === new URL(appUrl).origin ? [] : [checkout];
  return stripeSecretKey ? [...sites, "https://billing.stripe.com"] : sites;
}

export function setSecurityHeaders(response: ServerResponse, isHttps: boolean): void {
  response.setHeader("Content-Security-Policy", contentSecurityPolicy());
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("X-Frame-Options", "DENY");
  response.setHeader("Referrer-Policy", "strict-origin-when-cross-origin");
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Permissions-Policy", "camera=(), microphone=(), geolocation=()");
  if (isHttps) {
    response.setHeader("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  }
}

const DOCUMENT_HEADERS = [
  "Content-Security-Policy",
  "Cross-Origin-Opener-Policy",
  "Permissions-Policy",
  "Referrer-Policy",
  "X-Frame-Options",
  "X-Request-Id",
];

/** A worker obeys the policy of its own file, and an SVG that is opened is a document. */
const OBEYS_POLICY = /^\/sw\.js$|\.svg$/;

// A page loads twenty such files, and the full set would add half a KiB to each.
export function setFileHeaders(response: ServerResponse, pathname: string): void {
  if (OBEYS_POLICY.test(pathname)) return;
  for (const name of DOCUMENT_HEADERS) response.removeHeader(name);
}

const METHODS = ["GET", "HEAD", "POST"];
/** Characters. The router's own client asks for up to 7,680. */
const ADDRESS_MAX = 8_000;
const PATH_MAX = 1_000;
/** The router's client asks about all links of a page in one request. */
const LISTED_MAX = 300;
/** The router matches n segments in n² steps; our addresses have at most six. */
const SEGMENTS_MAX = 16;
const HOST_MAX = 260;

export type ErrorStatus = 400 | 405 | 414;

export function errorStatusOf(request: IncomingMessage): ErrorStatus | null {
  if (!METHODS.includes(request.method ?? "")) return 405;
  if (!request.url?.startsWith("/")) return 400;
  if (isTooLong(request.url)) return 414;
  // The router would log it unchanged, with any token that it holds.
  if (!isDecodable(request.url)) return 400;
  const host = request.headers.host ?? "";
  if (host.length > HOST_MAX || /[/\\?#@]/.test(host)) return 400;
  return URL.parse(`http://${host}`)?.host ? null : 400;
}

function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address.split("?", 1)[0]!);
    return true;
  } catch {
    return false;
  }
}

function isTooLong(address: string): boolean {
  if (address.length > ADDRESS_MAX) return true;
  const [path = "", query = ""] = address.split(/\?(.*)/s);
  if (query.split(/,|%2c/i).length > LISTED_MAX) return true;
  // Browsers read a backslash as a separator too.
  return path.length > PATH_MAX || path.split(/[/\\]/).length - 1 > SEGMENTS_MAX;
}

/** A client that sends neither Sec-Fetch-Site nor Origin is no browser: it carries no cookies. */
export function isCrossSite(request: Request, appUrl: string): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  const site = request.headers.get("sec-fetch-site");
  if (site && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  if (!origin) return false;
  const host = URL.parse(origin)?.host ?? null;
  return origin !== new URL(appUrl).origin && host !== request.headers.get("host");
}

/** The n-th X-Forwarded-For entry from the right: clients can forge all to the left of it. */
export function clientAddress(
  forwardedFor: string | null,
  peer: string,
  trustedProxies: number,
): string {
  if (trustedProxies === 0) return peer;
  const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim());
  return hops.at(-trustedProxies) || peer;
}

// A file that is sent is closed with its response, also when the client leaves. One that is deleted
// meanwhile ends the response, not the process.
export function closeFilesWith(response: ServerResponse): void {
  response.on("pipe", (file: Readable) => {
    file.on("error", () => response.destroy());
    response.once("close", () => file.destroy());
  });
}

// compression hands each listener of "drain" to a stream of its own and never removes one, so a long
// file would leave one for each piece. Here a single listener serves all who wait.
export function waitForDrainTogether(response: ServerResponse): void {
  const waiting = new Set<() => void>();
  const once = response.once.bind(response);
  const removeListener = response.removeListener.bind(response);
  let isListening = false;
  const serve = () => {
    const all = [...waiting];
    waiting.clear();
    for (const go of all) go();
  };
  response.once = ((event: string, listener: () => void) => {
    if (event !== "drain") return once(event, listener);
    if (!isListening) response.on("drain", serve);
    isListening = true;
    waiting.add(listener);
    return response;
  }) as typeof once;
  response.removeListener = ((event: string, listener: () => void) => {
    if (event !== "drain" || !waiting.delete(listener)) removeListener(event, listener);
    return response;
  }) as typeof removeListener;
}
