import type { RequestHandler } from "react-router";
import { BusyError, createFairQueue, type Limits } from "#app/platform/fair-queue.server.ts";
import { currentRequest } from "#app/platform/observability/request-scope.server.ts";
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
      // The only header that scripts can read of a response fetched by the router (showReference).
      if (id) headers.set("Server-Timing", `request;desc="${id}"`);
      if (status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", RETRY_SECONDS);
      return new Response(response.body, { status, statusText: response.statusText, headers });
    });
}

const LIMITS = {
  /** Two to three seconds of work at full load, and as much waiting. */
  pages: { atOnce: 200, maxWaitMs: 2_000, maxWaiting: 200 },
  /** They may wait for a bucket that hangs, and no page for them. */
  pictures: { atOnce: 40, maxWaitMs: 2_000, maxWaiting: 400 },
};

export function createAdmissionControls(limits: Record<keyof typeof LIMITS, Limits> = LIMITS) {
  const pages = createAdmissionControl(limits.pages);
  const pictures = createAdmissionControl(limits.pictures);
  return (url: string, client: string, answer: () => Promise<Response>) =>
    (isPicture(url) ? pictures : pages)(client, answer);
}

/** Uploaded ones, and those that are drawn with them. */
const isPicture = (url: string) => /\.(avif|webp|png)$/.test(new URL(url).pathname);

/** Limits concurrent requests, fairly among clients; slow uploads and downloads do not count. */
function createAdmissionControl(limits: Limits) {
  const queue = createFairQueue(limits);
  return async (client: string, answer: () => Promise<Response>): Promise<Response> => {
    try {
      return await queue.run({ client, account: "" }, answer);
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      const headers = { "Retry-After": RETRY_SECONDS, "Cache-Control": "no-store" };
      const text = "Too many people are here right now. Please try again in a moment.";
      return new Response(text, { status: 503, headers });
    }
  };
}
