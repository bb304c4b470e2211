import { readFileSync } from "node:fs";
import path from "node:path";
import { matchRoutes, type RouteObject } from "react-router";
import routes from "#app/routes.ts";
import { projectRoot } from "#app/platform/root.server.ts";

interface Entry {
  file: string;
  path?: string;
  index?: boolean;
  children?: Entry[];
}

/** What a page's address leads to: its file, the layouts around it first. */
export type Place = string[];

const ENTRIES = (await routes) as Entry[];

/** The files that a path leads to, outermost first. */
export function placeOf(address: string): Place {
  const matches = matchRoutes(ENTRIES as RouteObject[], address) ?? [];
  return matches.map(({ route }) => (route as unknown as Entry).file);
}

/** Every route that draws a page, as app/routes.ts lists them. */
export function listPages(entries: Entry[] = ENTRIES): string[] {
  return entries.flatMap(({ file, children }) =>
    children ? listPages(children) : drawsPage(file) ? [file] : [],
  );
}

function drawsPage(file: string): boolean {
  const source = readFileSync(path.join(projectRoot, "app", file), "utf8");
  return file.endsWith(".tsx") && source.includes("export default");
}
