import { createServer, type IncomingMessage } from "node:http";
import { type ComponentType, createElement } from "react";
import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
  useLoaderData,
} from "react-router";
import { connect } from "#app/platform/connect.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { type App, appContext } from "#app/routes/context.server.ts";
import Games, { loader as loadGames } from "#app/routes/games/list/list.tsx";
import { playersOnly, sessionMiddleware } from "#app/routes/guards.server.ts";
import Protected, { loader as loadProtected } from "#app/routes/layouts/protected.tsx";

const env = readEnv();
const { db } = await connect(env);
// All that the two loaders use.
const app = { env, db, now: () => new Date() } as App;

const ROOT = "root";
const LAYOUT = "routes/layouts/protected";
const LIST = "routes/games/list/list";
const handler = createStaticHandler([
  {
    id: ROOT,
    children: [
      {
        id: LAYOUT,
        Component: withLoaderData(Protected),
        children: [{ id: LIST, path: "events", Component: withLoaderData(Games) }],
      },
    ],
  },
]);

/** React's own rendering of the page after the page's own queries; no framework in between. */
createServer(async (request, response) => {
  if (request.url === "/readyz") return void response.end();
  const html = await render(request);
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(`${process.env.DOCUMENT_HEAD}${html}</body></html>`);
}).listen(env.port, "127.0.0.1");
process.once("SIGTERM", () => process.exit(0));

async function render({ headers }: IncomingMessage): Promise<string> {
  const request = new Request(`${env.appUrl}/events`, { headers: { Cookie: headers.cookie! } });
  const context = new RouterContextProvider();
  context.set(appContext, app);
  const args = { request, context, params: {}, url: new URL(request.url), pattern: "/events" };
  let html = "";
  await sessionMiddleware(args as Parameters<typeof sessionMiddleware>[0], async () => {
    await playersOnly(args as Parameters<typeof playersOnly>[0], async () => new Response());
    const [layout, list] = await Promise.all([
      loadProtected(args as Parameters<typeof loadProtected>[0]),
      loadGames(args as Parameters<typeof loadGames>[0]),
    ]);
    html = renderPage({ [ROOT]: { site: env }, [LAYOUT]: layout, [LIST]: list });
    return new Response();
  });
  return html;
}

function renderPage(loaderData: StaticHandlerContext["loaderData"]): string {
  const location = { pathname: "/events", search: "", hash: "", state: null, key: "default" };
  const [root] = handler.dataRoutes;
  const branch = [root!, root!.children![0]!, root!.children![0]!.children![0]!];
  const context = {
    basename: "/",
    location: { ...location, mask: undefined },
    loaderData,
    matches: branch.map((route) => ({ route, params: {}, pathname: "/", pathnameBase: "/" })),
    actionData: null,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    actionHeaders: {},
    _match: handler.match,
  } satisfies StaticHandlerContext;
  const router = createStaticRouter(handler.dataRoutes, context);
  return renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />);
}

type Page = ComponentType<{ loaderData: unknown }>;

function withLoaderData(Page: unknown): ComponentType {
  return () => createElement(Page as Page, { loaderData: useLoaderData() });
}
