import {
  isRouteErrorResponse,
  UNSAFE_decodeViaTurboStream as decode,
  UNSAFE_SingleFetchRedirectSymbol as REDIRECT,
} from "react-router";
import { takeToast } from "#app/forms/toast.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";
import { openSite, routeOf } from "./whole-site.ts";

export interface Visit {
  path: string;
  cookie?: string;
  /** Given, the request is a POST. */
  body?: BodyInit | Record<string, string>;
}

export interface Visited<T = unknown> {
  status: number;
  /** What the loader or the action returned, or an error's data; null where it was a response. */
  data: T;
  headers: Headers;
}

type Page = Parameters<typeof routeOf>[0];

/** What a loader or an action hands to its page. */
export type DataOf<P extends Page> =
  Exclude<Awaited<ReturnType<P>>, Response> extends infer R
    ? R extends { data: infer D; init: ResponseInit | null }
      ? D
      : R
    : never;

/**
 * One loader's or action's result for an address, requested as the router in the browser does: through
 * the layouts above it and their middleware. What it threw by accident is thrown here.
 */
export async function visit<P extends Page>(
  app: App,
  page: P,
  { path, cookie, body }: Visit,
): Promise<Visited<DataOf<P>>> {
  const route = await routeOf(page, path);
  const site = await openSite(app);
  const errors: unknown[] = [];
  const response = await site(route.isResource ? path : dataPath(path, route, body), {
    cookie,
    onError: (error) => errors.push(error),
    ...(body !== undefined && { method: "POST", body: bodyOf(body) }),
  });
  if (errors.length > 0) throw errors[0];
  const visited = route.isResource ? plain(response) : await decoded(response, route.id);
  return visited as Visited<DataOf<P>>;
}

/** The Cookie header of a new session. */
export async function signIn(app: App, userId: string): Promise<string> {
  const session = await app.accounts.openSession(userId, { now: app.now() });
  const setCookie = await signInCookie(app.env, session);
  return setCookie.split(";")[0] ?? "";
}

/** The toast of the page that comes after a response with these headers. */
export async function toastAfter(app: App, headers: Headers) {
  const cookies = headers.getSetCookie().map((line) => line.split(";")[0]);
  const next = new Request("http://kickabout.test/", { headers: { Cookie: cookies.join("; ") } });
  return (await takeToast(app.env, next)).toast;
}

// Where the router in the browser fetches the data of a page from.
function dataPath(
  path: string,
  { id, index }: { id: string; index?: boolean | undefined },
  body: unknown,
) {
  const url = new URL(path, "http://kickabout.test");
  url.pathname += url.pathname.endsWith("/") ? "_.data" : ".data";
  if (body === undefined) url.searchParams.set("_routes", id);
  else if (index) url.searchParams.set("index", "");
  return url.pathname + url.search;
}

function bodyOf(body: BodyInit | Record<string, string>): BodyInit {
  const isFields = Object.getPrototypeOf(body) === Object.prototype;
  return isFields ? new URLSearchParams(body as Record<string, string>) : (body as BodyInit);
}

function plain({ status, headers }: Response): Visited {
  return { status, headers, data: null };
}

interface Redirect {
  redirect: string;
  status: number;
}
type Result = { data: unknown } | { error: unknown };

/** Reads what the router's client reads: a redirect, or the data or error of each route. */
async function decoded(response: Response, id: string): Promise<Visited> {
  const { status, body } = response;
  const headers = new Headers(response.headers);
  if (!body) return { status, headers, data: null };
  const value = (await decode(body, globalThis)).value as Record<string | symbol, unknown>;
  const away = (value[REDIRECT] ?? ("redirect" in value ? value : null)) as Redirect | null;
  if (away) {
    headers.set("Location", away.redirect);
    return { status: away.status, headers, data: null };
  }
  const isOne = "data" in value || "error" in value;
  const results = isOne ? [value as Result] : (Object.values(value) as Result[]);
  const failed = results.find((result) => "error" in result);
  if (failed && "error" in failed) {
    const { error } = failed;
    return { status, headers, data: isRouteErrorResponse(error) ? error.data : error };
  }
  const own = isOne ? (value as Result) : (value[id] as Result | undefined);
  if (!own) throw new Error(`${id} does not answer at this address`);
  return { status, headers, data: "data" in own ? own.data : null };
}
