import type { IncomingMessage } from "node:http";
import path from "node:path";
import type { ReactNode } from "react";
import {
  createRequestHandler,
  type ServerBuild,
  UNSAFE_withComponentProps,
  UNSAFE_withErrorBoundaryProps,
} from "react-router";
import * as entry from "#app/entry.server.tsx";
import type { App } from "#app/routes/context.server.ts";
import { withOutages } from "#app/routes/outage.server.ts";
import { createVisitorPages } from "#app/routes/games/visitor-page.server.ts";
import routes from "#app/routes.ts";
import { requestContext } from "./app.ts";

/** A page or an endpoint of app/routes.ts: its whole path, and the layouts around it first. */
export interface Place {
  path: string;
  ids: string[];
}

export interface Question {
  cookie?: string | undefined;
  /** Given, the request is a POST. A Blob is sent as it is, under its type. */
  body?: URLSearchParams | FormData | Blob;
  method?: string;
  headers?: Record<string, string>;
  address?: string;
}

/** Answers as the server does behind its checks of host, origin and size. */
export type AskSite = (path: string, question?: Question) => Promise<Response>;

/** Every URL of app/routes.ts behind the router's own handler, as in production. */
export async function openSite(app: App): Promise<AskSite> {
  const handle = withOutages(createRequestHandler(await wholeBuild(), "production"));
  const pages = createVisitorPages(handle);
  return async (address, { cookie, body, address: client, ...more } = {}) => {
    const method = more.method ?? (body ? "POST" : "GET");
    const headers = new Headers({ ...more.headers, ...(cookie && { cookie }) });
    const incoming = { url: address, method, headers: { cookie } } as IncomingMessage;
    const kept = await pages(app, incoming);
    if (kept) return new Response(Uint8Array.from(kept.bodies.identity), { headers: kept.headers });
    const url = new URL(address, "http://kickabout.test");
    const request = new Request(url, { method, headers, body: body ?? null });
    return handle(request, requestContext(app, client));
  };
}

/** Every URL that app/routes.ts knows. */
export function allPlaces(): Place[] {
  const built = flatRoutes();
  const isLayout = (id: string) => built.some(({ parentId }) => parentId === id);
  return built.filter(({ id }) => !isLayout(id)).map((route) => placeOf(route, built));
}

interface Entry {
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
  return entries.flatMap(({ path: own, index, file, children = [] }) => {
    const id = file.replace(/\.tsx?$/, "");
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

/** The routes as the build hands them to the server. */
async function wholeBuild(): Promise<ServerBuild> {
  const all: Flat[] = [{ id: "root", path: "", file: "root.tsx" }, ...flatRoutes()];
  const app = path.join(import.meta.dirname, "../app");
  const open = async (file: string) =>
    (await import(/* @vite-ignore */ path.join(app, file))) as Module;
  const modules = await Promise.all(all.map(async ({ file }) => built(await open(file))));
  const places = all.map((place, n) => ({ ...place, module: modules[n]! }));
  const assets = places.map((place) => [place.id, assetOf(place)]);
  return {
    entry: { module: entry },
    routes: Object.fromEntries(places.map((place) => [place.id, place])),
    assets: {
      entry: { imports: [], module: "/assets/entry.js" },
      routes: Object.fromEntries(assets),
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
