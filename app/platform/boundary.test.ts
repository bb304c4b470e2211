import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";

const FOLDER = import.meta.dirname;
/** Tables of the platform itself: what writes them knows nothing of what they are about. */
const OWN_TABLES = ["audit_log", "mail_outage", "upload_owner", "weekly_metrics", "week_changes"];
/** Where the contract's own default of PAYMENT_LINK_PREFIX leads, and where stored files are served. */
const OWN_PATHS = ["/demo/checkout", "/files"];

const sources = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !/[.]test[.]|^schema|^migrate/.test(name))
  .map((name) => ({ name, text: readFileSync(path.join(FOLDER, name), "utf8") }));

/** Each source with the words of the list that it names. */
const named = (words: string[], pattern: (word: string) => RegExp) =>
  sources.flatMap(({ name, text }) =>
    words.filter((word) => pattern(word).test(text)).map((word) => `${name}: ${word}`),
  );

test("platform names no table of the product", () => {
  const files = ["schema.ts", "schema/people.ts", "schema/games.ts", "schema/wallet.ts"];
  const schema = files.map((file) => readFileSync(path.join(FOLDER, file), "utf8")).join("");
  const parts = [...schema.matchAll(/export interface (?:Schema|\w+Tables)\b(.*?)\n\}/gs)];
  const body = parts.map(([part]) => part).join("\n");
  const tables = [...body.matchAll(/^ {2}(\w+):/gm)].map(([, table = ""]) => table);
  const some = ["bookings", "profiles", "audit_log", "payments"];
  expect(tables).toEqual(expect.arrayContaining(some));
  expect(tables.length).toBeGreaterThan(30);
  const products = tables.filter((table) => !OWN_TABLES.includes(table));
  // Matches a table in SQL or Kysely: behind a keyword, or as the name in quotes.
  const use = (table: string) =>
    new RegExp(
      `\\b(?:from|join|into|update|table)\\s+${table}\\b|From\\("${table}\\b|Table\\("${table}\\b|Into\\("${table}\\b`,
    );
  expect(named(products, use)).toEqual([]);
});

test("platform names no path of a route", () => {
  const paths = pathsOf(routes as RouteConfigEntry[]).filter((each) => each !== "/");
  expect(paths).toEqual(expect.arrayContaining(["/events", "/profile", "/admin/venues"]));
  const foreign = paths.filter((each) => !OWN_PATHS.includes(each));
  expect(named(foreign, (each) => new RegExp(`["'\`/]${each}(?:["'\`/?$]|\\\\/)`))).toEqual([]);
});

/** Every path up to its first parameter. */
function pathsOf(entries: RouteConfigEntry[], above = ""): string[] {
  return entries.flatMap(({ path: own, children }) => {
    const whole = own ? `${above}/${own}` : above;
    const fixed = whole.split(/\/[:*]/)[0] ?? "";
    return [fixed || "/", ...pathsOf(children ?? [], whole)];
  });
}
