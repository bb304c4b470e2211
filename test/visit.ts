import { sessionMiddleware } from "#app/routes/guards.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { signInCookie } from "#app/routes/session-cookie.server.ts";
import { requestContext } from "./app.ts";

export interface Visit {
  path: string;
  params?: Record<string, string>;
  cookie?: string;
  /** Given, the request is a POST. */
  body?: BodyInit | Record<string, string>;
}

export interface Visited {
  status: number;
  /** What the page answered, where that is no plain response. */
  data: unknown;
  headers: Headers;
}

// Each route types its own arguments; the router hands the same ones to all.
type Page = (args: never) => unknown;

/** Runs a loader or an action behind the session middleware, as the router does. */
export async function visit(app: App, page: Page, wish: Visit): Promise<Visited> {
  const request = requestOf(wish);
  const args = {
    request,
    context: requestContext(app),
    url: new URL(request.url),
    pattern: wish.path,
    params: wish.params ?? {},
  };
  let answer: unknown;
  const response = await sessionMiddleware(args, async () => {
    answer = await thrownOrReturned(() => page(args as never));
    return answer instanceof Response ? answer : new Response();
  });
  return describe(answer, response as Response);
}

/** The Cookie header of a new session. */
export async function signIn(app: App, userId: string): Promise<string> {
  const session = await app.accounts.openSession(userId, { now: app.now() });
  const setCookie = await signInCookie(app.env, session);
  return setCookie.split(";")[0] ?? "";
}

function requestOf({ path, cookie, body }: Visit): Request {
  const headers = new Headers(cookie ? { Cookie: cookie } : {});
  const url = `http://kickabout.test${path}`;
  if (body === undefined) return new Request(url, { headers });
  const isFields = Object.getPrototypeOf(body) === Object.prototype;
  const payload = isFields ? new URLSearchParams(body as Record<string, string>) : body;
  return new Request(url, { method: "POST", headers, body: payload as BodyInit });
}

// A guard throws its redirect; anything else that is thrown is a bug, and fails the test.
async function thrownOrReturned(page: () => unknown): Promise<unknown> {
  try {
    return await page();
  } catch (thrown) {
    if (thrown instanceof Response || isData(thrown)) return thrown;
    throw thrown;
  }
}

function describe(answer: unknown, response: Response): Visited {
  if (answer instanceof Response) {
    return { status: answer.status, data: null, headers: response.headers };
  }
  if (!isData(answer)) return { status: 200, data: answer, headers: response.headers };
  const { data, init } = answer;
  return { status: init?.status ?? 200, data, headers: new Headers(init?.headers) };
}

function isData(answer: unknown): answer is { data: unknown; init: ResponseInit | null } {
  return typeof answer === "object" && answer !== null && "init" in answer && "data" in answer;
}
