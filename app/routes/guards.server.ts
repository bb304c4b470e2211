import {
  createContext,
  data,
  type MiddlewareFunction,
  redirect,
  type RouterContextProvider,
} from "react-router";
import { findSession, type Viewer } from "#app/features/accounts/sessions.server.ts";
import { type App, appContext } from "./context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { safeRedirectTo } from "./safe-redirect.ts";
import { logSecurityEvent } from "./security-log.server.ts";
import {
  readSessionCookie,
  setsSessionCookie,
  signInCookie,
  signOutCookie,
} from "./cookies.server.ts";

type Context = Readonly<RouterContextProvider>;

interface Visit {
  viewer(): Promise<Viewer | null>;
  /** Set-Cookie of a session that this request renewed. */
  renewal(): string | null;
}
const visitContext = createContext<Visit | null>(null);

/** Looks the session up once a request, when first asked; a renewed one sends its cookie again. */
export const sessionMiddleware: MiddlewareFunction<Response> = async (
  { request, context },
  next,
) => {
  const visit = visitOf(context, request);
  const response = await next();
  const event = SECURITY_EVENTS[response.status];
  if (event) {
    const viewer = await visit.viewer().catch(() => null);
    logSecurityEvent(event, { userId: viewer?.userId, url: request.url });
  }
  const renewal = visit.renewal();
  if (renewal && !setsSessionCookie(context.get(appContext).env, response)) {
    response.headers.append("Set-Cookie", renewal);
  }
  return response;
};

const SECURITY_EVENTS: Partial<Record<number, "access denied" | "too many attempts">> = {
  403: "access denied",
  429: "too many attempts",
};

export function getViewer(context: Context): Promise<Viewer | null> {
  return context.get(visitContext)!.viewer();
}

/** Set by playersOnly and adminsOnly for everything under their layouts. */
export const viewerContext = createContext<Viewer>();

/** Without a session, to "/". */
export const playersOnly: MiddlewareFunction<Response> = async ({ request, context }) => {
  context.set(viewerContext, await requirePlayer(context, request, { to: "/" }));
};

/** Signed out, to /auth; anyone but admins gets 403 'Access Denied'. */
export const adminsOnly: MiddlewareFunction<Response> = async ({ request, context }) => {
  context.set(viewerContext, await requireAdmin(context, request));
};

/** The account if it has the role, before the body is read. The routes renew the session later. */
export async function findAccount(
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
  return viewer.isAdmin && owedFactor(viewer, env) === null ? viewer.userId : null;
}

/** Otherwise redirects to "/", or to "/auth" with the way back. A form gets a toast: nothing was done. */
export async function requirePlayer(
  context: Context,
  request: Request,
  { to, isForVisitors }: { to: "/" | "/auth"; isForVisitors?: boolean },
): Promise<Viewer> {
  const viewer = await getViewer(context);
  if (viewer) return viewer;
  const away = redirect(to === "/" ? to : withReturn("/auth", request));
  const { env } = context.get(appContext);
  const isEnded = to === "/" && (await readSessionCookie(env, request)) !== null;
  if (isEnded) away.headers.append("Set-Cookie", await signOutCookie(env));
  if (request.method === "POST" && !isForVisitors) {
    away.headers.append("Set-Cookie", await toastCookie(env, SIGNED_OUT));
  } else if (isEnded) {
    away.headers.append("Set-Cookie", await toastCookie(env, SESSION_ENDED));
  }
  throw away;
}

const SESSION_ENDED = {
  title: "You were signed out on this device",
  description: "Please sign in again.",
  tone: "info" as const,
};

const SIGNED_OUT = {
  title: "You are signed out",
  description: "Sign in and try again.",
  tone: "danger" as const,
};

/** Sends an admin without a valid second factor to its setup or code page. */
export async function requireAdmin(context: Context, request: Request): Promise<Viewer> {
  const viewer = await requirePlayer(context, request, { to: "/auth" });
  if (!viewer.isAdmin) {
    throw data("Access Denied", { status: 403, statusText: "Access Denied" });
  }
  const { env } = context.get(appContext);
  const owed = owedFactor(viewer, env);
  if (owed) throw await redirectToFactor(request, env, owed);
  return viewer;
}

type OwedFactor = "setup" | "code";

/** The missing part of an admin's second factor: its setup, or its code. */
export function owedFactor(
  viewer: Pick<Viewer, "hasSecondFactor" | "passedSecondFactor">,
  { adminTwoFactor }: Pick<App["env"], "adminTwoFactor">,
): OwedFactor | null {
  if (viewer.hasSecondFactor) return viewer.passedSecondFactor ? null : "code";
  return adminTwoFactor === "required" ? "setup" : null;
}

async function redirectToFactor(request: Request, env: App["env"], owed: OwedFactor) {
  const page = owed === "setup" ? "/settings/two-factor" : "/auth/code";
  const away = redirect(withReturn(page, request));
  if (request.method === "POST") {
    away.headers.append("Set-Cookie", await toastCookie(env, NOTHING_DONE));
  }
  return away;
}

const NOTHING_DONE = {
  title: "Nothing was saved",
  description: "Confirm that it is you, then try again.",
  tone: "danger" as const,
};

/** For visitors' pages: signed-in users go to the games. */
export async function redirectIfSignedIn(context: Context): Promise<void> {
  if (await getViewer(context)) throw redirect("/events");
}

// A form's action is a page as well, so its path works for POST too.
function withReturn(page: string, request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  // In the browser the router requests the page's .data URL instead.
  searchParams.delete("_routes");
  const search = searchParams.size > 0 ? `?${searchParams}` : "";
  const path = safeRedirectTo(pathname.replace(/\.data$/, "") + search);
  return path ? `${page}?redirectTo=${encodeURIComponent(path)}` : page;
}

function visitOf(context: Context, request: Request): Visit {
  const visit = context.get(visitContext) ?? startVisit(context.get(appContext), request);
  context.set(visitContext, visit);
  return visit;
}

function startVisit({ env, db, now }: App, request: Request): Visit {
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
  return { viewer: () => (viewer ??= resolve()), renewal: () => renewal };
}
