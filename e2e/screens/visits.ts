import { SCREENS } from "./all.ts";
import { endOf, pathOf } from "./screen.ts";
import type { Scenario, Screen } from "./scenario.ts";
import { readFileSync } from "node:fs";
import path from "node:path";
import { matchRoutes, type RouteObject } from "react-router";
import routes from "#app/routes.ts";
import { projectRoot } from "#app/platform/root.server.ts";

type Role = "visitor" | "player" | "admin";
export interface Visit {
  role: Role;
  screen: Screen;
}

const ROLES: Role[] = ["visitor", "player", "admin"];
// A placeholder for every id, so that paths can be compared before there is a scenario.
const ANY = new Proxy({} as Scenario, { get: (_, name) => String(name) });

function roleOf({ as }: Screen): Role {
  if (!as) return "visitor";
  return as === "admin" ? "admin" : "player";
}

/** Every screen as its own account, and the plain ones as every other role that may see them. */
export function listVisits(): Visit[] {
  const own = SCREENS.map((screen) => ({ role: roleOf(screen), screen }));
  const seen = new Set(own.filter(({ screen }) => isPlain(screen)).map(visitKey));
  const others = SCREENS.filter(isPlain)
    .flatMap((screen) => ROLES.map((role) => ({ role, screen: seenBy(role, screen) })))
    .filter(
      (visit) => !redirectOf(visit) && !seen.has(visitKey(visit)) && seen.add(visitKey(visit)),
    );
  return [...own, ...others];
}

/** Each page once. */
export function listShortVisits(): Visit[] {
  const pages = Map.groupBy(listVisits(), ({ screen }) => routeFiles(endOf(screen, ANY)).at(-1));
  const choose = (visits: Visit[]) => visits.find(({ screen }) => isPlain(screen)) ?? visits[0]!;
  return [...pages.values()].map(choose);
}

/** Pages that redirect a role, and where to. */
export function listRedirects(): {
  role: Role;
  path: (scenario: Scenario) => string;
  to: string;
}[] {
  const plain = SCREENS.filter(isPlain).filter((screen) => screen.path !== "/nowhere");
  const visits = plain.flatMap((screen) => ROLES.map((role) => ({ role, screen })));
  return visits.flatMap((visit) => {
    const to = redirectOf(visit);
    return to ? [{ role: visit.role, path: (scenario) => pathOf(visit.screen, scenario), to }] : [];
  });
}

/** Nothing is done on it before it is looked at. */
export const isPlain = ({ act, before }: Screen) => !act && !before;
const visitKey = ({ role, screen }: Visit) => `${role} ${pathOf(screen, ANY)}`;

function seenBy(role: Role, screen: Screen): Screen {
  if (role === roleOf(screen)) return screen;
  const { as: _, ...rest } = screen;
  return role === "visitor" ? rest : { ...rest, as: role };
}

/** Where a role is redirected to, if it may not see the page. */
function redirectOf({ role, screen }: Visit): string | null {
  const files = routeFiles(endOf(screen, ANY));
  const is = (file: string) => files.includes(`routes/${file}.tsx`);
  if (role !== "visitor") return is("public/landing") || is("auth/auth") ? "/events" : null;
  if (is("layouts/protected")) return "/";
  const isAdmin = files.some((file) => /^routes\/(admin\/|layouts\/admin)/.test(file));
  return isAdmin || is("demo/portal") ? "/auth" : null;
}

interface Entry {
  file: string;
  path?: string;
  index?: boolean;
  children?: Entry[];
}

const ENTRIES = (await routes) as Entry[];

/** The files of the routes that match a path, layouts first. */
export function routeFiles(address: string): string[] {
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
