import { expect, test } from "@playwright/test";
import {
  added,
  chunks,
  FIRST_PAGES,
  firstLoad,
  laterChunk,
  plainBytes,
  routeChunk,
  scriptFiles,
  scriptsOf,
  sentBytes,
} from "./chunks.ts";

const KIB = 1024;

/** KiB of script at most; what "/" loads, which is none, budgets.spec.ts measures. */
const BUDGETS = { "/events": 109.5, "/events/{id}": 117 };

/** All that those pages load from npm. Dialogs, search fields and the like come when needed. */
const FIRST_PACKAGES = ["react", "react-dom", "react-router", "scheduler"];

/** What no file for browsers holds: it belongs to the server, or outweighs what it would do. */
const NEVER = [
  /\.server\.|^(db|server\.ts|worker\.ts)\b|^node:|^__vite-browser-external/,
  /^node_modules\/(kysely|pg|pg-boss|pino|nodemailer|ical-generator)\//,
  /^node_modules\/(satori|sharp|stripe|postal-mime|rate-limiter-flexible)\//,
  /^node_modules\/(zod|tailwind-merge|date-fns|dayjs|luxon|moment|@js-temporal)\//,
  /^node_modules\/(@tanstack|swr|@base-ui|@base-ui-components|@radix-ui|@headlessui)\//,
  /^node_modules\/(lucide-react|react-icons|@heroicons|@tabler|@phosphor-icons)\//,
];

/** What is loaded when it is used, on top of the page that it is used on. */
const LATER = [
  { module: "credits/plan-choice.tsx", on: "games/show.tsx", kib: 30 },
  { module: "games/waitlist/dialog.tsx", on: "games/show.tsx", kib: 4 },
  { module: "profile/nationality-search.tsx", on: "profile/show.tsx", kib: 48 },
  { module: "venues/city-combobox.tsx", on: "venues/list.tsx", kib: 48 },
  { module: "venues/lightbox.tsx", on: "venues/show.tsx", kib: 14 },
  { module: "profile/picture-cropper.tsx", on: "profile/show.tsx", kib: 9 },
];

/** Served as they are: the offline page's own script and a library for later, which import nothing. */
const UNBUNDLED = /^assets\/(offline-tickets|web-vitals)-/;

test("the list names every script file, and modules for all that is in it", () => {
  const bundled = scriptFiles().filter((file) => !UNBUNDLED.test(file));
  expect([...chunks.keys()].toSorted()).toEqual(bundled.toSorted());
  expect(chunks.size).toBeGreaterThan(50);
  for (const { file, modules } of chunks.values()) {
    const known = Object.values(modules).reduce((sum, length) => sum + length, 0);
    // Beside the modules a file has its imports and exports.
    expect(known, file).toBeGreaterThan(plainBytes(file) - 200);
  }
});

for (const [page, kib] of Object.entries(BUDGETS)) {
  const files = scriptsOf(FIRST_PAGES[page as keyof typeof BUDGETS]);

  test(`the scripts of ${page} keep their budget`, () => {
    const sum = sentBytes(files) / KIB;
    test.info().annotations.push({ type: page, description: `${sum.toFixed(1)} KiB` });
    expect(sum, files.join(" ")).toBeLessThanOrEqual(kib);
  });
}

for (const [page, routes] of Object.entries(FIRST_PAGES)) {
  test(`nothing but the framework comes from npm with ${page}`, () => {
    const packages = modulesOf(firstLoad(routes)).map(packageOf);
    const named = [...new Set(packages.filter((name) => name !== null))];
    expect(named.toSorted()).toEqual(FIRST_PACKAGES);
  });
}

test("no file for browsers holds what belongs to the server or weighs too much", () => {
  const modules = modulesOf(chunks.keys());
  expect(modules.length).toBeGreaterThan(250);
  expect(modules.filter((id) => NEVER.some((pattern) => pattern.test(id)))).toEqual([]);
});

for (const { module, on, kib } of LATER) {
  test(`${module} keeps its budget`, () => {
    const page = firstLoad([layoutOf(on), `routes/${on}`]);
    const more = added([laterChunk(module)], page);
    const sum = sentBytes(more) / KIB;
    test.info().annotations.push({ type: module, description: `${sum.toFixed(1)} KiB` });
    expect(more, "it is loaded with the page itself").not.toEqual([]);
    expect(sum, more.join(" ")).toBeLessThanOrEqual(kib);
  });
}

test("all of admin keeps its budget", () => {
  const isAdmin = (id: string) => /^app\/routes\/(admin\/|layouts\/admin\.tsx)/.test(id);
  const roots = [...chunks.values()].filter((chunk) => Object.keys(chunk.modules).some(isAdmin));
  expect(roots).toContain(routeChunk("routes/layouts/admin.tsx"));
  const more = added(roots, firstLoad(["routes/layouts/semi-public.tsx"]));
  const sum = sentBytes(more) / KIB;
  test.info().annotations.push({ type: "admin", description: `${sum.toFixed(1)} KiB` });
  expect(sum, more.join(" ")).toBeLessThanOrEqual(150);
});

test("no page of players loads what admin's pages share", () => {
  const isAdmin = ({ modules }: { modules: object }) =>
    Object.keys(modules).some((id) => /^app\/routes\/admin\//.test(id));
  const all = [...chunks.values()];
  const files = new Set(all.filter(isAdmin).map(({ file }) => file));
  const loading = all.filter((one) => !isAdmin(one) && one.imports.some((id) => files.has(id)));
  expect(loading.map(({ file }) => file)).toEqual([]);
});

const layoutOf = (route: string) =>
  `routes/layouts/${route.startsWith("profile/") ? "protected" : "semi-public"}.tsx`;

function modulesOf(files: Iterable<string>): string[] {
  return [...files].flatMap((file) => Object.keys(chunks.get(file)?.modules ?? {}));
}

function packageOf(id: string): string | null {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? null;
}
