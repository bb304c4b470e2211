import type { RequestHandler } from "react-router";
import { BusyError, createTurns, type Limits } from "#app/platform/turns.server.ts";
import { currentRequest } from "#app/platform/watch/request-scope.server.ts";
import { hadOutage, withinRequest } from "#app/platform/postgres/database-time.server.ts";

const RETRY_SECONDS = "10";

/** Turns a 500 into a 503 with Retry-After if the database was down, silent or too busy. */
export function withOutages(handle: RequestHandler): RequestHandler {
  return (request, context) =>
    withinRequest(async () => {
      const response = await handle(request, context);
      const status = response.status === 500 && hadOutage() ? 503 : response.status;
      if (status < 500) return response;
      const headers = new Headers(response.headers);
      const id = currentRequest()?.id;
      // The only header that scripts can read of a response fetched by the router (tellReference).
      if (id) headers.set("Server-Timing", `request;desc="${id}"`);
      if (status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", RETRY_SECONDS);
      return new Response(response.body, { status, statusText: response.statusText, headers });
    });
}

/** Limits concurrent requests, fairly among clients; slow uploads and downloads do not count. */
export function createCrowdControl(limits: Limits) {
  const turns = createTurns(limits);
  return async (client: string, answer: () => Promise<Response>): Promise<Response> => {
    try {
      return await turns.run({ client, account: "" }, answer);
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      const headers = { "Retry-After": RETRY_SECONDS, "Cache-Control": "no-store" };
      const text = "Too many people are here right now. Please try again in a moment.";
      return new Response(text, { status: 503, headers });
    }
  };
}
