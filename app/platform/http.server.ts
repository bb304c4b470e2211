import type { IncomingMessage, ServerResponse } from "node:http";
import type { Env } from "./env.server.ts";

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Whoever is signed in, or an admin. */
export type Sender = "player" | "admin";

interface Allowance {
  limit: number;
  /** Nobody else's is taken in; without one it is anybody's. */
  from?: Sender;
}

/** Forms are small; what is not says so by its path. */
const BODY_LIMIT = 64 * KILOBYTE;
const LARGE: ({ path: RegExp; isMultipart?: true } & Allowance)[] = [
  { path: /^\/webhooks\/stripe$/, limit: 256 * KILOBYTE },
  // A long text, with up to six bytes a letter as forms write it.
  { path: /^\/admin\/legal\/(terms|privacy)$/, limit: 512 * KILOBYTE, from: "admin" },
  { path: /^\/profile$/, isMultipart: true, limit: 6 * MEGABYTE, from: "player" },
  { path: /^\/admin\/partners\/[^/]+$/, isMultipart: true, limit: 6 * MEGABYTE, from: "admin" },
  // Several photos at once, of up to 10 MB each.
  {
    ...{ path: /^\/admin\/venues\/[^/]+\/photos$/, isMultipart: true },
    ...{ limit: 64 * MEGABYTE, from: "admin" },
  },
];
/** So much of all uploads together is held while they come in, however slowly they are sent. */
const UPLOADS_HELD = 96 * MEGABYTE;
let uploadsHeld = 0;
/** After so long an upload that found no room may be sent again. */
const BUSY_SECONDS = 10;
/** So much of a body that is too large is still taken in and dropped: only then is the 413 heard. */
const DROPPED_LIMIT = 8 * MEGABYTE;

// Vite puts styles into the page and talks to it by WebSocket while it is being developed.
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

interface PolicySources {
  /** Inline scripts that run. */
  scripts?: string[];
  /** Other sites that a form leads on to. */
  formTargets?: string[];
}

/** The content security policy: our own files run, and our own pages take forms. */
export function contentSecurityPolicy(sources: PolicySources = {}): string {
  const { scripts = [], formTargets = [] } = sources;
  return [
    ...POLICY,
    ["form-action 'self'", ...formTargets].join(" "),
    ["script-src 'self'", ...scripts].join(" "),
  ].join("; ");
}

/**
 * The sites of Stripe that our forms are redirected to, and none in the sandbox: Chrome asks
 * form-action about the redirects after a post as well.
 */
export function paymentSites({
  appUrl,
  paymentLinkPrefix,
  stripeSecretKey,
}: Pick<Env, "appUrl" | "paymentLinkPrefix" | "stripeSecretKey">): string[] {
  const checkout = new URL(paymentLinkPrefix).origin;
  const sites = checkout === new URL(appUrl).origin ? [] : [checkout];
  return stripeSecretKey ? [...sites, "https://billing.stripe.com"] : sites;
}

/** Headers of every response; a page replaces the policy by one with its nonce. */
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

const METHODS = ["GET", "HEAD", "POST"];
/** Characters. The router's own client asks for up to 7,680, and a way back is escaped twice. */
const ADDRESS_MAX = 8_000;
const PATH_MAX = 1_000;
/** The router's client asks about all links of a page at once; each is matched with every route. */
const LISTED_MAX = 300;
/** The router matches n segments in n² steps; no address of ours has more than six. */
const SEGMENTS_MAX = 16;
/** As long as names of hosts can be (RFC 1035), with a port. */
const HOST_MAX = 260;

export type RefusedStatus = 400 | 405 | 414;

/** The status of a request that no route is asked about: another method, no path, no real host. */
export function refusedStatus(request: IncomingMessage): RefusedStatus | null {
  if (!METHODS.includes(request.method ?? "")) return 405;
  if (!request.url?.startsWith("/")) return 400;
  if (isTooLong(request.url)) return 414;
  const host = request.headers.host ?? "";
  if (host.length > HOST_MAX) return 400;
  return URL.canParse(`http://${host}`) && new URL(`http://${host}`).host ? null : 400;
}

function isTooLong(address: string): boolean {
  if (address.length > ADDRESS_MAX) return true;
  const [path = "", query = ""] = address.split(/\?(.*)/s);
  if (query.split(/,|%2c/i).length > LISTED_MAX) return true;
  // A backslash separates as well, as browsers read addresses.
  return path.length > PATH_MAX || path.split(/[/\\]/).length - 1 > SEGMENTS_MAX;
}

/**
 * Whether a browser sends this from another site. Browsers say so in Sec-Fetch-Site and Origin;
 * a client that sends neither is no browser and carries nobody's cookies.
 */
export function isCrossSite(request: Request, appUrl: string): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  const site = request.headers.get("sec-fetch-site");
  if (site && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  if (!origin) return false;
  return origin !== new URL(appUrl).origin && hostOf(origin) !== request.headers.get("host");
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/**
 * The request with its body read and measured, or the answer that refuses it: 413 where the body is
 * over the limit, 503 where more uploads come in at once than fit. An action never starts on a body
 * that it will not get. A large one is taken in only from who may send it; of anybody else it is
 * dropped, and the route says why.
 */
export async function withinBodyLimit(
  request: Request,
  isFrom: (sender: Sender) => Promise<boolean>,
): Promise<Request | Response> {
  if (!request.body) return request;
  const { limit: most, from } = allowanceOf(request);
  const isWelcome = !from || (await isFrom(from));
  const limit = isWelcome ? most : BODY_LIMIT;
  const length = Number(request.headers.get("content-length"));
  if (isWelcome && length > Math.max(limit, DROPPED_LIMIT)) return refuseBody("too-large");
  const body = await readWithin(request.body, limit);
  if (typeof body === "string" && isWelcome) return refuseBody(body);
  const { method, headers, signal } = request;
  const kept = typeof body === "string" ? "" : body;
  return new Request(request.url, { method, headers, signal, body: kept });
}

type BodyRefusal = "too-large" | "busy";

function refuseBody(reason: BodyRefusal): Response {
  if (reason === "too-large") {
    // What is still sent of the body is not taken in: no request can follow on this connection.
    const headers = { Connection: "close" };
    return new Response("The request is too large.", { status: 413, headers });
  }
  const headers = { "Retry-After": String(BUSY_SECONDS) };
  const text = "Too many files are being sent right now. Please try again in a moment.";
  return new Response(text, { status: 503, headers });
}

function allowanceOf(request: Request): Allowance {
  // With JavaScript the router posts to the page's data address.
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  const isMultipart = request.headers.get("content-type")?.startsWith("multipart/form-data;");
  const large = LARGE.find((each) => each.path.test(path) && (isMultipart || !each.isMultipart));
  return large ?? { limit: BODY_LIMIT };
}

/** Takes a body in up to its limit; one that is refused is read on and dropped. */
async function readWithin(
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Buffer<ArrayBuffer> | BodyRefusal> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let held = 0;
  let refusal: BodyRefusal | null = null;
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > Math.max(limit, DROPPED_LIMIT)) return "too-large";
      if (size > limit) refusal = "too-large";
      else if (size > BODY_LIMIT && uploadsHeld >= UPLOADS_HELD) refusal = "busy";
      if (refusal) {
        chunks.length = 0;
        continue;
      }
      chunks.push(chunk);
      held += chunk.byteLength;
      uploadsHeld += chunk.byteLength;
    }
    return refusal ?? Buffer.concat(chunks);
  } finally {
    uploadsHeld -= held;
  }
}

/**
 * The client's address: with n trusted proxies, the n-th from the right of X-Forwarded-For, since
 * whatever stands further left came from the client itself.
 */
export function clientAddress(request: Request, peer: string, trustedProxies: number): string {
  if (trustedProxies === 0) return peer;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  return hops.at(-trustedProxies) || peer;
}
