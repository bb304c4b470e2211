import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { type Chunk, readChunkList } from "../scripts/chunk-list.ts";

const CLIENT = path.join(projectRoot, "build", "client");

/** The files of the last build by name. */
export const chunks = new Map(readChunkList().map((chunk) => [chunk.file, chunk]));

/** The route modules of the pages that people come to first. */
export const FIRST_PAGES = {
  "/": ["routes/public/landing.tsx"],
  "/events": ["routes/layouts/protected.tsx", "routes/games/list/list.tsx"],
  "/events/{id}": ["routes/layouts/semi-public.tsx", "routes/games/show.tsx"],
};

/** The script files that are really there, those without a module aside. */
export function scriptFiles(): string[] {
  // The router's table of all routes is written by itself, after the bundle.
  const isTable = (name: string) => /^manifest-[0-9a-f]{8}\.js$/.test(name);
  return readdirSync(path.join(CLIENT, "assets"))
    .filter((name) => name.endsWith(".js") && !isTable(name))
    .map((name) => `assets/${name}`);
}

/** The scripts that a page loads before anybody touches it. */
export const scriptsOf = (routes: string[]) =>
  [...firstLoad(routes)].filter((file) => file.endsWith(".js"));

/** The same with their styles: what the entry, the root and the page's routes are made of. */
export function firstLoad(routes: string[]): Set<string> {
  const entry = find(({ facade }) => facade?.endsWith("/entry.client.tsx"), "the entry");
  return withImports([entry, ...["root.tsx", ...routes].map(routeChunk)]);
}

/** What these chunks bring along, beyond what is loaded already. */
export function added(roots: Chunk[], loaded: Set<string>): string[] {
  return [...withImports(roots)].filter((file) => !loaded.has(file));
}

/** The file of a module that is loaded later. */
export function laterChunk(module: string): Chunk {
  return find(({ facade }) => facade === `app/routes/${module}`, module);
}

export function routeChunk(route: string): Chunk {
  const facade = `app/${route}?__react-router-build-client-route`;
  return find((chunk) => chunk.facade === facade, route);
}

function find(is: (chunk: Chunk) => boolean | undefined, name: string): Chunk {
  const found = [...chunks.values()].find(is);
  if (!found) throw new Error(`no file of the build stands for ${name}`);
  return found;
}

/** The files of these chunks, of all that they import, and their styles. */
function withImports(roots: Chunk[]): Set<string> {
  const files = new Set<string>();
  const visit = ({ file, imports, styles }: Chunk) => {
    if (files.has(file)) return;
    files.add(file);
    for (const style of styles) files.add(style);
    for (const name of imports) visit(chunks.get(name)!);
  };
  roots.forEach(visit);
  return files;
}

/** Bytes as they are sent to a browser that takes Brotli; small files go as they are. */
export function sentBytes(files: Iterable<string>): number {
  let sum = 0;
  for (const name of files) {
    const file = path.join(CLIENT, name);
    sum += statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
  }
  return sum;
}

/** A file's size before it is compressed. */
export const plainBytes = (file: string) => statSync(path.join(CLIENT, file)).size;
