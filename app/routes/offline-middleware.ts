import {
  data,
  type DataStrategyResult,
  isRouteErrorResponse,
  type MiddlewareFunction,
} from "react-router";
import { isConnectionError, showUnanswered } from "#app/ui/connection.ts";
import { unknownOutcomeOf } from "#app/forms/messages.ts";

type Results = Record<string, DataStrategyResult>;

// In the browser: a form without a response, or with an unknown outcome, keeps its page and input
// and shows a toast; a page that fails to load keeps the navigation around it. The router itself
// would replace everything by the outermost error screen.
export const keepPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next();
  const all = Object.values(results);
  if (quiet && isOf(quiet, request) && all.some(({ type }) => type !== "data")) {
    quiet.isLost = all.some((result) => result.result instanceof Error || isDown(result));
    return {};
  }
  return request.method === "GET" ? keepLayouts(results) : keepForm(results);
};

let quiet: { page: string; isLost: boolean } | null = null;

/** Nobody has asked for this data: if it cannot be read, the page stays as it is. False if it is
 * worth trying again. */
export async function readQuietly(read: () => Promise<void>): Promise<boolean> {
  const reading = { page: location.href, isLost: false };
  quiet = reading;
  await read().finally(() => (quiet = null));
  return !reading.isLost;
}

function isOf({ page }: { page: string }, { method, url }: Request): boolean {
  return method === "GET" && page.split("#")[0] === url.split("#")[0];
}

let silent: { isLost: boolean } | null = null;

/** For a page that reports unsent input itself. False if no response came. */
export async function sendQuietly(send: () => Promise<void>): Promise<boolean> {
  const sending = { isLost: false };
  silent = sending;
  await send().finally(() => (silent = null));
  return !sending.isLost;
}

// The routes of the last page that loaded.
let mounted = new Set(["root"]);

/** The router keeps the data of routes without a result. */
function keepLayouts(results: Results): Results {
  const all = Object.entries(results);
  const arrived = all.filter(([, { type }]) => type === "data");
  if (arrived.length === all.length) mounted = new Set(["root", ...Object.keys(results)]);
  const isKept = (id: string) => mounted.has(id) && isLayout(id);
  const left = all.filter(([id, result]) => !isKept(id) || !isUnheard(result));
  return left.some(([, result]) => isUnheard(result)) ? Object.fromEntries(left) : results;
}

function isLayout(id: string) {
  return id === "root" || id.startsWith("routes/layouts/");
}

function keepForm(results: Results): Results {
  const all = Object.values(results);
  const unknown = all.map(unknownOutcome).find(Boolean);
  const isLost = (result: DataStrategyResult) =>
    isUnheard(result) || (silent !== null && isDown(result));
  if (!unknown && !all.some(isLost)) return results;
  if (silent) silent.isLost = true;
  else showUnanswered(unknown ?? undefined);
  // With this status the router does not revalidate.
  const nothing = { type: "data" as const, result: data(null, { status: 503 }) };
  const kept = Object.entries(results).map(([id, result]) => [
    id,
    isLost(result) || unknownOutcome(result) ? nothing : result,
  ]);
  return Object.fromEntries(kept) as Results;
}

function isUnheard({ type, result }: DataStrategyResult): boolean {
  return type === "error" && isConnectionError(causeOf(result));
}

/** The server is too busy, or a proxy answered without one. */
const isDown = ({ type, result }: DataStrategyResult) =>
  type === "error" && isRouteErrorResponse(result) && result.status >= 500;

function unknownOutcome({ type, result }: DataStrategyResult) {
  return type === "error" ? unknownOutcomeOf(result) : null;
}

// The router wraps the error of a form's request.
function causeOf(result: unknown): unknown {
  const { type, data: cause } = (result ?? {}) as { type?: string; data?: unknown };
  return type === "DataWithResponseInit" ? cause : result;
}
