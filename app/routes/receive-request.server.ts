import { randomBytes } from "node:crypto";
import { RouterContextProvider } from "react-router";
import { networkOf } from "#app/features/accounts/throttles.server.ts";
import { isCrossSite } from "#app/platform/http.server.ts";
import { receiveBody } from "#app/platform/request-body.server.ts";
import { bodyLimit } from "./body-limits.ts";
import { addressContext, type App, appContext, nonceContext } from "./context.server.ts";
import { findAccount } from "./guards.server.ts";
import { logSecurityEvent } from "./security-log.server.ts";

export interface Received {
  /** With its body read. */
  request: Request;
  context: RouterContextProvider;
}

/**
 * A request as the routes take it, or the response that ends it because of where it is from or of
 * its body. `address` is the client's.
 */
export async function receiveRequest(
  app: App,
  incoming: Request,
  address: string,
): Promise<Received | Response> {
  if (isCrossSite(incoming, app.env.appUrl)) {
    logSecurityEvent("cross-site form refused", { url: incoming.url });
    return new Response("Forbidden", { status: 403 });
  }
  const request = await receiveBody(incoming, bodyLimit(incoming), {
    address: networkOf(address),
    findAccount: (role) => findAccount(app, incoming, role),
  });
  if (request instanceof Response) return request;
  // Who it is is asked again: a role or a session may have ended while the body came in.
  return { request, context: newContext(app, address) };
}

function newContext(app: App, address: string): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(appContext, app);
  context.set(nonceContext, randomBytes(16).toString("base64"));
  context.set(addressContext, address);
  return context;
}
