import {
  data,
  type DataStrategyResult,
  isRouteErrorResponse,
  type MiddlewareFunction,
} from "react-router";
import { reloadPage } from "./account-watch.ts";
import {
  isConnectionError,
  NO_ANSWER,
  NO_SERVER,
  showUnanswered,
  TOO_LARGE,
} from "#app/ui/connection.ts";
import { unknownOutcomeOf } from "./messages.ts";

type Results = Record<string, DataStrategyResult>;

// In the browser: a form without a response of ours, or with an unknown outcome, keeps its page and
// input and shows a toast; a page that fails to load keeps the navigation around it. The router itself
// would replace everything by the outermost error screen. Where somebody else was first, it is read again.
export const keepPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next();
  const all = Object.values(results);
  if (quiet && isOf(quiet, request) && all.some(({ type }) => type !== "data")) {
    quiet.isLost = all.some((result) => result.result instanceof Error || problemOf(result));
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

let answers: unknown[] | null = null;

/** For a page that reports unsent input itself: the data that actions have returned meanwhile. */
export async function sendQuietly(send: () => Promise<void>): Promise<unknown[]> {
  const received: unknown[] = [];
  answers = received;
  // Another one may have begun since.
  await send().finally(() => {
    if (answers === received) answers = null;
  });
  return received;
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
  const problem = Object.values(results).map(problemOf).find(Boolean);
  if (problem && !answers) showUnanswered(problem);
  const kept = Object.entries(results).map(([id, result]) => [id, toKept(result)]);
  return Object.fromEntries(kept) as Results;
}

/** Errors caused by what was stored meanwhile, not by what was typed. */
const OUT_OF_DATE = [402, 404, 409];

/** The router reads a page again after a form, but not with the status of an error. */
function toKept(all: DataStrategyResult): DataStrategyResult {
  if (problemOf(all)) return { type: "data", result: data(null, { status: 503 }) };
  const { data: found, init } = (all.result ?? {}) as { data?: unknown; init?: ResponseInit };
  if (all.type === "data") answers?.push(found);
  if (all.type !== "data" || !OUT_OF_DATE.includes(init?.status ?? 200)) return all;
  if (found !== null) return { type: "data", result: data(found) };
  // Rejected by rejectOtherAccount: the page of who is signed in says so.
  reloadPage();
  return all;
}

/** What to say of a form without an answer of its action: none, an unknown one, or a proxy's. */
function problemOf({ type, result }: DataStrategyResult) {
  const cause = causeOf(result);
  if (type !== "error") return null;
  if (isConnectionError(cause)) return NO_ANSWER;
  // The router's words for a page, or half an answer, in place of data.
  if (!isRouteErrorResponse(cause)) return /decode/.test(String(cause)) ? NO_SERVER : null;
  if (cause.status === 413) return TOO_LARGE;
  const isForeign = cause.status >= 500 || /^\s*</.test(cause.data);
  return unknownOutcomeOf(cause) ?? (isForeign ? NO_SERVER : null);
}

function isUnheard({ type, result }: DataStrategyResult): boolean {
  return type === "error" && isConnectionError(causeOf(result));
}

// The router wraps the error of a form's request.
function causeOf(result: unknown): unknown {
  const { type, data: cause } = (result ?? {}) as { type?: string; data?: unknown };
  return type === "DataWithResponseInit" ? cause : result;
}
