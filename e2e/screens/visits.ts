import { SCREENS } from "./all.ts";
import { placeOf } from "./places.ts";
import { endOf, pathOf, type Screen } from "./screen.ts";
import type { Scenario } from "./world.ts";

export type Role = "visitor" | "player" | "admin";
export interface Visit {
  role: Role;
  screen: Screen;
}

const ROLES: Role[] = ["visitor", "player", "admin"];
// Stands for every id, so that paths can be compared before there is a world.
const ANY = new Proxy({} as Scenario, { get: (_, name) => String(name) });

function roleOf({ as }: Screen): Role {
  if (!as) return "visitor";
  return as === "admin" ? "admin" : "player";
}

/** Every screen as who it is of; those where nothing is done first, as everybody else as well. */
export function listVisits(): Visit[] {
  const own = SCREENS.map((screen) => ({ role: roleOf(screen), screen }));
  const seen = new Set(own.filter(({ screen }) => isPlain(screen)).map(keyOf));
  const others = SCREENS.filter(isPlain)
    .flatMap((screen) => ROLES.map((role) => ({ role, screen: seenBy(role, screen) })))
    .filter((visit) => !leadsAway(visit) && !seen.has(keyOf(visit)) && seen.add(keyOf(visit)));
  return [...own, ...others];
}

/** Each page once, and each role. */
export function listShortVisits(): Visit[] {
  const pages = Map.groupBy(listVisits(), ({ screen }) => placeOf(endOf(screen, ANY)).at(-1));
  const choose = (visits: Visit[]) => visits.find(({ screen }) => isPlain(screen)) ?? visits[0]!;
  return [...pages.values()].map(choose);
}

/** Pages from which a role is led away, and where to. */
export function listRefusals(): { role: Role; path: (scenario: Scenario) => string; to: string }[] {
  const plain = SCREENS.filter(isPlain).filter((screen) => screen.path !== "/nowhere");
  const visits = plain.flatMap((screen) => ROLES.map((role) => ({ role, screen })));
  return visits.flatMap((visit) => {
    const to = leadsAway(visit);
    return to ? [{ role: visit.role, path: (scenario) => pathOf(visit.screen, scenario), to }] : [];
  });
}

const isPlain = ({ act, before }: Screen) => !act && !before;
const keyOf = ({ role, screen }: Visit) => `${role} ${pathOf(screen, ANY)}`;

function seenBy(role: Role, screen: Screen): Screen {
  if (role === roleOf(screen)) return screen;
  const { as: _, ...rest } = screen;
  return role === "visitor" ? rest : { ...rest, as: role };
}

/** Where a role lands instead of the page, if it does. */
function leadsAway({ role, screen }: Visit): string | null {
  const files = placeOf(endOf(screen, ANY));
  const is = (file: string) => files.includes(`routes/${file}.tsx`);
  if (role !== "visitor") return is("public/landing") || is("auth/auth") ? "/events" : null;
  if (is("layouts/protected")) return "/";
  const isDesk = files.some((file) => /^routes\/(admin\/|layouts\/admin)/.test(file));
  return isDesk || is("demo/portal") ? "/auth" : null;
}
