import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import type { ImportRule } from "./imports.ts";

/** Which feature may import which: each only those of the lines below its own. */
const FEATURE_FLOORS = [
  ["privacy", "support", "rewards", "reports"],
  ["organise"],
  ["teams"],
  ["roster"],
  ["bookings"],
  ["friends"],
  ["waitlist"],
  ["seats"],
  ["wallet", "chat"],
  ["games"],
  ["players", "venues"],
  ["announcements"],
  ["notifications"],
  ["accounts"],
];
/** Features that import no other; the audit log reads the names of all their rows by SQL alone. */
const ALONE = ["partners", "legal", "audit"];

/** Folders of pages: what two of them share is in a folder without pages, or below. */
const AREAS = new Set(
  [
    ...readFileSync(path.join(projectRoot, "app/routes.ts"), "utf8").matchAll(
      /"routes\/((?:admin\/(?=[\w-]+\/))?[\w-]+)\/[^"]*"/g,
    ),
  ]
    .map(([, area = ""]) => area)
    .filter((area) => area !== "admin" && area !== "layouts"),
);

const SHELLS = "^(server|worker)[.]ts$";
const OUTSIDE = "^(test|e2e|bench|scripts|db)/|[.]test[.]tsx?$";

/** Imports run down and never up; nor in circles, of which no rule has to be written. No exceptions. */
export const IMPORT_RULES: ImportRule[] = [
  rule("platform-is-the-ground", "^app/platform/(?!.*[.]test[.])", "^app/(?!platform/)"),
  rule("ui-knows-only-ui", "^app/ui/(?!.*[.]test[.])", "^app/(?!ui/)"),
  rule(
    "features-know-no-routes",
    "^app/features/(?!.*[.]test[.])",
    "^app/(?!platform/|features/|ui/)",
  ),
  rule(
    "forms-know-ui-and-platform",
    "^app/forms/(?!.*[.]test[.])",
    "^app/(?!forms/|ui/|platform/)",
  ),
  rule("live-knows-no-routes", "^app/live/(?!.*[.]test[.])", "^app/(?!live/|forms/|ui/|platform/)"),
  rule("nothing-imports-the-shell", "^app/", SHELLS),
  rule(
    "routes-know-no-root",
    "^app/routes/(?!.*[.]test[.])",
    "^app/(root[.]tsx|routes[.]ts|entry[.].*)$",
  ),
  rule("the-app-imports-no-tests-or-scripts", "^app/(?!.*[.]test[.])", OUTSIDE),
  rule("the-worker-skips-routes", "^worker[.]ts$", "^app/routes/"),
  rule("the-database-folder-skips-routes", "^db/(?!.*[.]test[.])", "^app/routes/"),
  ...[...AREAS].map((area) =>
    rule(
      "areas-import-no-other",
      `^app/routes/(?!${area}/)(?!.*[.]test[.])`,
      `^app/routes/${area}/`,
    ),
  ),
  ...FEATURE_FLOORS.flatMap((names, floor) =>
    names.map((name) => featureRule(name, FEATURE_FLOORS.slice(floor + 1).flat())),
  ),
  ...ALONE.map((name) => featureRule(name, [])),
  featureRule(`(?!(?:${[...FEATURE_FLOORS.flat(), ...ALONE].join("|")})/)[^/]+`, []),
];

/** The check has to see every module of these. */
export const CHECKED = [
  "app",
  "db",
  "test",
  "e2e",
  "scripts",
  "bench",
  "deploy",
  "server.ts",
  "worker.ts",
];

function rule(name: string, from: string, to: string): ImportRule {
  return { name, from, to };
}

function featureRule(name: string, below: string[]): ImportRule {
  const own = "app/features/$1/";
  const allowed = [own, ...below.map((other) => `app/features/${other}/`)].join("|");
  return {
    name: "features-import-downwards",
    from: `^app/features/(${name})/(?!.*[.]test[.])`,
    to: "^app/features/",
    toNot: `^(${allowed})`,
  };
}
