import "./app.css";
import type { ReactNode } from "react";
import {
  data,
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteLoaderData,
} from "react-router";
import type { Route } from "./+types/root";
import { reopenedNotice } from "#app/routes/account-notice.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { AccessDenied, ErrorScreen, NotFoundError } from "#app/routes/error-screens.tsx";
import { rejectionContext } from "#app/forms/page-account.server.ts";
import { takeToast } from "#app/forms/toast.server.ts";
import { getViewer, sessionMiddleware } from "#app/routes/guards.server.ts";
import { keepPage } from "#app/forms/offline-middleware.ts";
import {
  viewerPlaceholders,
  placeholdersMiddleware,
} from "#app/routes/viewer-placeholders.server.ts";
import { siteOf } from "#app/routes/site.ts";
import { routePatternMiddleware } from "#app/routes/route-pattern.server.ts";
import { PageFocus, PageProgress } from "#app/ui/page-change.tsx";
import { NOTIFICATIONS, PageMessage, usePageMessage } from "#app/ui/page-message.tsx";
import { ToastRegion } from "#app/ui/toast-region.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

interface PageHandle {
  /** Ships no JavaScript. */
  isPlain?: boolean;
  /** `noindex`, for all pages below it too. */
  noindex?: boolean;
}

export const middleware: Route.MiddlewareFunction[] = [
  routePatternMiddleware,
  placeholdersMiddleware,
  sessionMiddleware,
];

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepPage];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { env } = context.get(appContext);
  const { toast, clearing } = await takeToast(env, request);
  // Unknown where the session cannot be read, which the page's own loader reports.
  const viewer = await getViewer(context).catch(() => undefined);
  const account = viewer && viewerPlaceholders(context)("account", viewer.userId);
  const { notice, ended } = await reopenedNotice(request, viewer);
  const headers = [clearing, ended].flatMap((cookie) => cookie ?? []);
  return data(
    { site: siteOf(env), toast: context.get(rejectionContext) ?? toast ?? notice, account },
    { headers: headers.map((cookie): [string, string] => ["Set-Cookie", cookie]) },
  );
}

export const links: Route.LinksFunction = () => [
  {
    rel: "preload",
    href: "/fonts/archivo-kickabout.woff2",
    as: "font",
    type: "font/woff2",
    crossOrigin: "anonymous",
  },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>("root");
  const hydrated = useHydrated();
  const message = usePageMessage(root?.toast);
  const handles = useMatches().map(({ handle }) => handle as PageHandle | undefined);
  const isPlain = handles.some((handle) => handle?.isPlain);
  return (
    <html
      lang="en"
      data-account={isPlain ? undefined : root?.account === null ? "" : root?.account}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#f2f5ee" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0a100d" media="(prefers-color-scheme: dark)" />
        {handles.some((handle) => handle?.noindex) && <meta name="robots" content="noindex" />}
        <Meta />
        <Links />
      </head>
      <body>
        <PageProgress />
        <PageMessage message={message} />
        {children}
        <PageFocus />
        <ToastRegion sent={root?.toast} label={message ? undefined : NOTIFICATIONS} />
        {/* Pages without scripts start at the top too. */}
        {(!isPlain || hydrated) && <ScrollRestoration />}
        {!isPlain && <Scripts />}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundError />;
  if (isRouteErrorResponse(error) && error.status === 403) return <AccessDenied />;
  return <ErrorScreen error={error} />;
}
