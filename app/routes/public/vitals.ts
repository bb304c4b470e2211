import { RateLimiterMemory } from "rate-limiter-flexible";
import { z } from "zod";
import { networkOf } from "#app/features/accounts/throttles.server.ts";
import { recordVitals } from "#app/platform/observability/metrics.server.ts";
import { addressContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/vitals";

const SECOND = 1_000;
const duration = z
  .number()
  .min(0)
  .max(60 * SECOND)
  .transform((ms) => ms / SECOND)
  .optional();
const beacon = z.object({
  page: z.string().max(200),
  LCP: duration,
  INP: duration,
  CLS: z.number().min(0).max(100).optional(),
});

// Protects the metrics and their alert, which asks for more than two processes take of one network.
const limiter = new RateLimiterMemory({ points: 20, duration: 3_600 });

/** How fast a page was in a browser. Nothing of it is stored or logged. */
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const { success, data } = beacon.safeParse(parseJson(await request.text()));
  if (!success) return respond(400);
  const network = networkOf(context.get(addressContext));
  const isCounted = await limiter.consume(network).then(
    () => true,
    () => false,
  );
  if (isCounted) recordVitals(kindOf(data.page), data);
  return respond(204);
}

export function loader(): Response {
  return new Response("Method Not Allowed", { status: 405, headers: { Allow: "POST" } });
}

/** A closed list: no sender can add another label to the metrics. */
const PAGES = [
  { kind: "/events", path: /^\/events$/ },
  { kind: "/events/:gameId", path: /^\/events\/[^/]+$/ },
  { kind: "/events/:gameId/chat", path: /^\/events\/[^/]+\/chat$/ },
  { kind: "/bookings", path: /^\/bookings$/ },
  { kind: "/wallet", path: /^\/wallet$/ },
  { kind: "/profile", path: /^\/profile$/ },
  { kind: "/admin/*", path: /^\/admin(?:$|\/)/ },
];

function kindOf(page: string): string {
  return PAGES.find(({ path }) => path.test(page))?.kind ?? "(other)";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function respond(status: number): Response {
  return new Response(null, { status, headers: { "Cache-Control": "no-store" } });
}
