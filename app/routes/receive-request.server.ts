import { randomBytes } from "node:crypto";
import { RouterContextProvider } from "react-router";
import { networkOf } from "#app/features/accounts/throttles.server.ts";
import { isCrossSite } from "#app/platform/http.server.ts";
import { receiveBody, type BodyLimit } from "#app/platform/request-body.server.ts";
import { addressContext, type App, appContext, nonceContext } from "./context.server.ts";
import { findAccountId } from "./guards.server.ts";
import { pagePath } from "./page-path.ts";
import { logSecurityEvent } from "#app/routes/security/security-log.server.ts";

export interface Received {
  request: Request;
  context: RouterContextProvider;
}

/** The request with its body and context, or a response that rejects its origin or body. */
export async function receiveRequest(
  app: App,
  incoming: Request,
  address: string,
): Promise<Received | Response> {
  if (isCrossSite(incoming, app.env.appUrl) && !isUnsubscribe(incoming)) {
    logSecurityEvent("cross-site form rejected", { url: incoming.url });
    return new Response("Forbidden", { status: 403 });
  }
  const request = await receiveBody(incoming, bodyLimit(incoming), {
    network: networkOf(address),
    findAccountId: (role) => findAccountId(app, incoming, role),
  });
  if (request instanceof Response) return request;
  // A new context: the role or session may have ended during the upload.
  return { request, context: newContext(app, address) };
}

/** Mail programs post here from any origin (RFC 8058). Only the link's token decides. */
function isUnsubscribe(request: Request): boolean {
  return /^\/unsubscribe\/[\w-]+$/.test(new URL(request.url).pathname);
}

function newContext(app: App, address: string): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(appContext, app);
  context.set(nonceContext, randomBytes(16).toString("base64"));
  context.set(addressContext, address);
  return context;
}

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

const FORM: BodyLimit = { bytes: 64 * KILOBYTE };
// The router ignores case.
const LARGE: (BodyLimit & { path: RegExp; isMultipart?: true })[] = [
  { path: /^\/webhooks\/(stripe|mail)$/i, bytes: 256 * KILOBYTE },
  // A long text, with up to six bytes a character once encoded.
  { path: /^\/admin\/legal\/(terms|privacy)$/i, bytes: 512 * KILOBYTE, from: "admin" },
  { path: /^\/profile$/i, isMultipart: true, bytes: 6 * MEGABYTE, from: "player" },
  { path: /^\/admin\/partners\/[^/]+$/i, isMultipart: true, bytes: 6 * MEGABYTE, from: "admin" },
  {
    // Several photos of up to 10 MB each.
    path: /^\/admin\/venues\/[^/]+\/photos$/i,
    isMultipart: true,
    bytes: 64 * MEGABYTE,
    from: "admin",
  },
];

export function bodyLimit(request: Request): BodyLimit {
  const path = pagePath(request.url);
  const isMultipart = request.headers.get("content-type")?.startsWith("multipart/form-data;");
  const large = LARGE.find((each) => each.path.test(path) && (isMultipart || !each.isMultipart));
  return large ?? FORM;
}
