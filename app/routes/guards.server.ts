import {
  createContext,
  data,
  type MiddlewareFunction,
  redirect,
  type RouterContextProvider,
} from "react-router";
import {
  findSession,
  mayOrganise,
  missingFactor,
  type Viewer,
} from "#app/features/accounts/sessions.server.ts";
import { addressContext, type App, appContext } from "./context.server.ts";
import { rejectionContext, signedInContext } from "#app/forms/page-account.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { pagePath } from "./page-path.ts";
import { actedCookie } from "./shared-reads.server.ts";
import { safeRedirectTo } from "./safe-redirect.ts";
import { logSecurityEvent } from "#app/routes/security/security-log.server.ts";
import {
  readSessionCookie,
  setsSessionCookie,
  signInCookie,
  signOutCookie,
} from "./cookies.server.ts";

type Context = Readonly<RouterContextProvider>;

const visitContext = createContext<ReturnType<typeof startVisit> | null>(null);

/** Finds the session once per request, when first needed; sends the cookie if it was renewed. */
export const sessionMiddleware: MiddlewareFunction<Response> = async (
  { request, context },
  next,
) => {
  const visit = context.get(visitContext) ?? startVisit(context.get(appContext), request);
  context.set(visitContext, visit);
  context.set(signedInContext, visit.viewer);
  const response = await next();
  const { env, replica, accounts } = context.get(appContext);
  const event = SECURITY_EVENTS[response.status];
  if (event) {
    const viewer = await visit.viewer().catch(() => null);
    const isFlood = event === "too many attempts";
    const networkHash = isFlood ? accounts.hashNetwork(context.get(addressContext)) : null;
    const facts = { userId: viewer?.userId, url: request.url };
    logSecurityEvent(event, { ...facts, ...(networkHash && { networkHash }) });
  }
  if (replica && request.method === "POST") {
    response.headers.append("Set-Cookie", await actedCookie(env));
  }
  const rejection = context.get(rejectionContext);
  // The router's client reads the page again, which then says so.
  if (rejection && isDataRequest(request)) {
    response.headers.append("Set-Cookie", await toastCookie(env, rejection));
  }
  const renewal = visit.renewal();
  if (renewal && !setsSessionCookie(env, response)) {
    response.headers.append("Set-Cookie", renewal);
  }
  return response;
};

const isDataRequest = ({ url }: Request) => new URL(url).pathname.endsWith(".data");

const SECURITY_EVENTS: Partial<Record<number, "access denied" | "too many attempts">> = {
  403: "access denied",
  429: "too many attempts",
};

export function getViewer(context: Context): Promise<Viewer | null> {
  return context.get(visitContext)!.viewer();
}

/** Reads the viewer again, for all that this request has yet to show: what it has read since is no
 * newer than the wallet then. */
export async function rereadViewer(context: Context): Promise<Viewer> {
  const viewer = (await context.get(visitContext)!.reread()) ?? context.get(viewerContext);
  (context as RouterContextProvider).set(viewerContext, viewer);
  return viewer;
}

/** Set by the middleware below for everything under its route. */
export const viewerContext = createContext<Viewer>();

/** Without a session, redirects to "/". */
export const playersOnly: MiddlewareFunction<Response> = async ({ request, context }) => {
  context.set(viewerContext, await requirePlayer(context, request, { to: "/" }));
};

interface Visit {
  isForVisitors?: boolean;
  /** Where on the page one comes back to, which no request names. */
  at?: `#${string}`;
}

/** Without a session, redirects to /auth, which leads back. */
export const signedInOnly =
  (visit?: Visit): MiddlewareFunction<Response> =>
  async ({ request, context }) => {
    context.set(viewerContext, await requirePlayer(context, request, { to: "/auth", ...visit }));
  };

/** Visitors may read the page; what they send leads to /auth and back. */
export const signedInToSend =
  (visit?: Visit): MiddlewareFunction<Response> =>
  async (args, next) => {
    if (args.request.method === "POST") await signedInOnly(visit)(args, next);
  };

/** Signed out, redirects to /auth; other users get 403 'Access Denied'. */
export const adminsOnly: MiddlewareFunction<Response> = async ({ request, context }) => {
  context.set(viewerContext, await requireAdmin(context, request));
};

/** The account if it has the role, before the body is read. The routes renew the session later. */
export async function findAccountId(
  { env, db, now }: App,
  request: Request,
  role: "player" | "admin",
): Promise<string | null> {
  const token = await readSessionCookie(env, request);
  // The route reports a database that is down.
  const viewer = token
    ? await findSession(db, token, now(), { isRenewed: false }).catch(() => null)
    : null;
  if (!viewer || role === "player") return viewer?.userId ?? null;
  return mayOrganise(viewer, env) ? viewer.userId : null;
}

// Otherwise redirects to "/", or to "/auth" with a return path; a form gets a "not done" toast.
async function requirePlayer(
  context: Context,
  request: Request,
  { to, isForVisitors, at }: Visit & { to: "/" | "/auth" },
): Promise<Viewer> {
  const viewer = await getViewer(context);
  if (viewer) return viewer;
  const away = redirect(to === "/" ? to : withReturn("/auth", request, at));
  const { env } = context.get(appContext);
  const isEnded = to === "/" && (await readSessionCookie(env, request)) !== null;
  if (isEnded) away.headers.append("Set-Cookie", await signOutCookie(env));
  const isLost = request.method === "POST" && !isForVisitors;
  const message = isLost ? SIGNED_OUT : isEnded ? SESSION_ENDED : null;
  if (message) away.headers.append("Set-Cookie", await toastCookie(env, message));
  throw away;
}

const SESSION_ENDED = {
  title: "You were signed out on this device",
  description: "Please sign in again.",
  tone: "info" as const,
  isLasting: true,
};

const SIGNED_OUT = {
  title: "You are signed out",
  description: "Sign in and try again.",
  tone: "danger" as const,
  isLasting: true,
};

/** Sends an admin without a valid second factor to its setup or code page. */
export async function requireAdmin(context: Context, request: Request): Promise<Viewer> {
  const viewer = await requirePlayer(context, request, { to: "/auth" });
  if (!viewer.isAdmin) {
    // A file has no page to show this; the router would send it as JSON, in quotes.
    const isFile = /\.(csv|xlsx)$/.test(new URL(request.url).pathname);
    if (isFile) throw new Response("Access Denied", { status: 403, statusText: "Access Denied" });
    throw data("Access Denied", { status: 403, statusText: "Access Denied" });
  }
  await requireFactor(context, request, viewer);
  return viewer;
}

/** After `signedInOnly`: an admin who owes a second factor is sent to its setup or code page. */
export const withSecondFactor: MiddlewareFunction<Response> = ({ request, context }) =>
  requireFactor(context, request, context.get(viewerContext));

/** Players owe none. */
async function requireFactor(context: Context, request: Request, viewer: Viewer) {
  const { env } = context.get(appContext);
  const owed = viewer.isAdmin ? missingFactor(viewer, env) : null;
  if (!owed) return;
  const away = redirect(
    withReturn(owed === "setup" ? "/settings/two-factor" : "/auth/code", request),
  );
  if (request.method === "POST") {
    away.headers.append("Set-Cookie", await toastCookie(env, NOTHING_DONE));
  }
  throw away;
}

const NOTHING_DONE = {
  title: "Nothing was saved",
  description: "Confirm that it is you, then try again.",
  tone: "danger" as const,
  isLasting: true,
};

/** For visitors' pages: signed-in users go to the games, or on to where they were going. */
export async function redirectIfSignedIn(context: Context, to = "/events"): Promise<void> {
  if (await getViewer(context)) throw redirect(to);
}

// A form's action is a page as well, so its path works for POST too.
function withReturn(page: string, request: Request, at = ""): string {
  const { searchParams } = new URL(request.url);
  searchParams.delete("_routes");
  const search = searchParams.size > 0 ? `?${searchParams}` : "";
  const path = safeRedirectTo(pagePath(request.url) + search + at);
  return path ? `${page}?redirectTo=${encodeURIComponent(path)}` : page;
}

/** `renewal`: Set-Cookie of a session that this request renewed. */
function startVisit({ env, db, now }: App, request: Request) {
  let viewer: Promise<Viewer | null> | undefined;
  let renewal: string | null = null;
  const resolve = async () => {
    const token = await readSessionCookie(env, request);
    const session = token ? await findSession(db, token, now()) : null;
    if (!session || !token) return null;
    const { renewedUntil, ...found } = session;
    if (renewedUntil) renewal = await signInCookie(env, { token, expiresAt: renewedUntil });
    return found;
  };
  const reread = () => (viewer = resolve());
  return { viewer: () => (viewer ??= resolve()), reread, renewal: () => renewal };
}
