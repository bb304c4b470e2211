import type { IncomingMessage } from "node:http";
import path from "node:path";
import type { ReactNode } from "react";
import {
  createContext,
  createRequestHandler,
  matchRoutes,
  type RequestHandler,
  type RouterContextProvider,
  type ServerBuild,
  UNSAFE_withComponentProps,
  UNSAFE_withErrorBoundaryProps,
} from "react-router";
import * as entry from "#app/entry.server.tsx";
import type { App } from "#app/routes/context.server.ts";
import { withOutages } from "#app/routes/outage.server.ts";
import routes from "#app/routes.ts";
import { requestContext } from "./app.ts";
import { createVisitorPages } from "#app/routes/games/game-page.server.ts";

/** A page or an endpoint of app/routes.ts: its whole path, and the layouts around it first. */
export interface Place {
  path: string;
  ids: string[];
}

export interface Question {
  cookie?: string | undefined;
  /** Given, the request is a POST. A Blob is sent as it is, under its type. */
  body?: BodyInit;
  method?: string;
  headers?: Record<string, string>;
  address?: string;
  /** Hears of every error that no route foresaw. */
  onError?: (error: unknown) => void;
}

/** Responds as the server does behind its checks of host, origin and size. */
export type AskSite = (path: string, question?: Question) => Promise<Response>;

/** Every URL of app/routes.ts behind the router's own handler, as in production. */
export async function openSite(app: App, added?: AddedRoute): Promise<AskSite> {
  const handle = await (added ? siteHandler(added) : (wholeSite ??= siteHandler()));
  const pages = createVisitorPages(handle);
  return async (address, { cookie, body, address: client, onError, ...more } = {}) => {
    const method = more.method ?? (body ? "POST" : "GET");
    const headers = new Headers({ ...more.headers, ...(cookie && { cookie }) });
    const incoming = { url: address, method, headers: { cookie } } as IncomingMessage;
    const kept = await pages(app, incoming);
    if (kept) return new Response(Uint8Array.from(kept.bodies.identity), { headers: kept.headers });
    const url = new URL(address, "http://kickabout.test");
    const request = new Request(url, { method, headers, body: body ?? null });
    const context = requestContext(app, client);
    if (onError) context.set(errorContext, onError);
    return handle(request, context);
  };
}

let wholeSite: Promise<RequestHandler> | undefined;
const errorContext = createContext<((error: unknown) => void) | null>(null);

/** The router's own handler of every URL, as in production. */
export async function siteHandler(added?: AddedRoute): Promise<RequestHandler> {
  return withOutages(createRequestHandler(await wholeBuild(added), "production"));
}

/** A page of a test's own, below a layout of the site. */
interface AddedRoute {
  path: string;
  /** The layout's id, such as "routes/layouts/admin". */
  parentId: string;
  module: Record<string, unknown>;
}

type Page = (args: never) => unknown;

/** The route of app/routes.ts that has this loader or action, of several the one at this address. */
export async function routeOf(
  page: Page,
  address: string,
): Promise<Flat & { isResource: boolean }> {
  const having = (await routeModules()).filter(({ module }) => {
    return module["loader"] === page || module["action"] === page;
  });
  // Matching an address goes through all routes, and few files have several.
  const id = having.length > 1 ? idAt(address) : undefined;
  const found = having.find((route) => route.id === id) ?? having[0];
  if (!found) throw new Error("no route of app/routes.ts has this loader or action");
  return { ...found, isResource: !found.module["default"] };
}

/** The page or endpoint that this address leads to. */
export async function moduleAt(address: string): Promise<{ file: string; module: Module }> {
  const id = idAt(address);
  return (await routeModules()).find((route) => route.id === id)!;
}

function idAt(address: string): string | undefined {
  const places = allAddresses().map(({ path: own, ids }) => ({ path: own, id: ids.at(-1)! }));
  const { pathname } = new URL(address, "http://kickabout.test");
  return matchRoutes(places, pathname)?.at(-1)?.route.id;
}

let addresses: Place[] | undefined;

/** Every URL that app/routes.ts knows. Routes do not change, and each page of a walk asks for them. */
export const allAddresses = (): Place[] => (addresses ??= findAddresses());

function findAddresses(): Place[] {
  const built = flatRoutes();
  const isLayout = (id: string) => built.some(({ parentId }) => parentId === id);
  const hasPage = (route: Flat) => route.path !== undefined || !isLayout(route.id);
  return built.filter(hasPage).map((route) => placeOf(route, built));
}

interface Entry {
  /** Where a file has several routes. */
  id?: string | undefined;
  path?: string | undefined;
  index?: boolean | undefined;
  file: string;
  children?: Entry[] | undefined;
}

interface Flat {
  id: string;
  parentId?: string;
  path?: string | undefined;
  index?: boolean | undefined;
  file: string;
}

function flatRoutes(entries = routes as Entry[], parentId = "root"): Flat[] {
  return entries.flatMap(({ path: own, index, file, children = [], ...entry }) => {
    const id = entry.id ?? file.replace(/\.tsx?$/, "");
    return [{ id, parentId, path: own, index, file }, ...flatRoutes(children, id)];
  });
}

function placeOf(route: Flat, all: Flat[]): Place {
  const parent = all.find(({ id }) => id === route.parentId);
  const above = parent ? placeOf(parent, all) : { path: "", ids: ["root"] };
  const whole = route.path ? `${above.path.replace(/\/$/, "")}/${route.path}` : above.path;
  return { path: whole || (parent ? "" : "/"), ids: [...above.ids, route.id] };
}

type Module = Record<string, unknown>;

let modules: Promise<(Flat & { module: Module })[]> | undefined;

/** Every route of app/routes.ts, with what its file exports. */
export function routeModules() {
  modules ??= Promise.all(
    [{ id: "root", path: "", file: "root.tsx" }, ...flatRoutes()].map(async (route: Flat) => {
      const file = path.join(import.meta.dirname, "../app", route.file);
      return { ...route, module: (await import(/* @vite-ignore */ file)) as Module };
    }),
  );
  return modules;
}

/** The routes as the build hands them to the server. */
async function wholeBuild(added?: AddedRoute): Promise<ServerBuild> {
  const own = added ? [{ ...added, id: "added", file: "added.ts" }] : [];
  const routes = [...(await routeModules()), ...own].map((route) => {
    return { ...route, module: built(route.module) };
  });
  return {
    entry: { module: { ...entry, handleError } },
    routes: Object.fromEntries(routes.map((route) => [route.id, route])),
    assets: {
      entry: { imports: [], module: "/assets/entry.js" },
      routes: Object.fromEntries(routes.map((route) => [route.id, assetOf(route)])),
      url: "/assets/manifest.js",
      version: "1",
    },
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
  } as unknown as ServerBuild;
}

const handleError: typeof entry.handleError = (error, args) => {
  (args.context as RouterContextProvider).get(errorContext)?.(error);
  return entry.handleError(error, args);
};

function assetOf({ module, ...place }: Flat & { module: Module }) {
  const { loader, action, ErrorBoundary } = module;
  const has = { hasLoader: !!loader, hasAction: !!action, hasErrorBoundary: !!ErrorBoundary };
  return { ...place, ...has, module: `/assets/${place.id}.js`, imports: [], css: [] };
}

// The build gives each page its loader's data as props.
function built(module: Module): Module {
  const { default: page, ErrorBoundary: boundary } = module as Record<string, () => ReactNode>;
  return {
    ...module,
    ...(page && { default: UNSAFE_withComponentProps(page) }),
    ...(boundary && { ErrorBoundary: UNSAFE_withErrorBoundaryProps(boundary) }),
  };
}
