import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type AskSite, allAddresses, type Place } from "./whole-site.ts";

/** What a walk was answered somewhere: every byte of it, headers first. */
export interface Seen {
  path: string;
  status: number;
  type: string;
  head: string;
  body: Buffer;
}

interface Walk {
  ask: AskSite;
  cookie?: string | undefined;
  from: string[];
  withData?: boolean;
}

// More addresses than the test sites have: a page that links to ever new ones would never end.
const MOST = 6_000;

// Filters combine, and every closed page leads on to signing in: some of their addresses are enough.
const MOST_OF_ONE = 50;

/**
 * Asks for these addresses and all that they lead to on the site, breadth first: links, pictures,
 * forms that only ask, redirects, and the data of every page, whole and route by route.
 */
export async function walk({ ask, cookie, from, withData = true }: Walk): Promise<Seen[]> {
  const places = allAddresses();
  const known = new Set(from);
  const counts = new Map<string, number>();
  const add = (next: string) => {
    if (known.has(next)) return;
    const page = next.split("?", 1)[0]!;
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    if (count <= MOST_OF_ONE) known.add(next);
  };
  const seen: Seen[] = [];
  for (const path of known) {
    if (seen.length >= MOST) throw new Error(`the walk does not end: ${path.slice(0, 200)}`);
    const one = await look(ask, path, cookie);
    seen.push(one);
    const data = withData ? dataOf(one, places) : [];
    for (const next of [...leadsOf(one), ...data]) add(next);
  }
  return seen;
}

/** Every address of app/routes.ts, each parameter filled with each of these values in turn. */
export function filledAddresses(values: string[]): string[] {
  return allAddresses().flatMap(({ path }) => {
    if (!/[:*]/.test(path)) return [path];
    return values.map((value) => path.replace(/:[A-Za-z]+|\*/g, value));
  });
}

/** The names that our sources read from an address; a new one is asked for as well. */
export function parametersOfSources(): string[] {
  const folder = path.join(import.meta.dirname, "../app");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."));
  const reads = sources.flatMap((file) => [
    ...readFileSync(path.join(folder, file), "utf8").matchAll(
      /(?:[qQ]uery|[pP]arams)\.(?:get|getAll|has)\("(\w+)"/g,
    ),
  ]);
  return [...new Set(reads.map(([, name]) => name!))];
}

export async function look(ask: AskSite, path: string, cookie?: string): Promise<Seen> {
  const response = await ask(path, { cookie });
  const head = [...response.headers].map((pair) => pair.join(": ")).join("\n");
  const type = response.headers.get("Content-Type") ?? "";
  const body = Buffer.from(await response.arrayBuffer());
  return { path, status: response.status, type, head, body };
}

/** The addresses on this site that a response names, without their fragments. */
function leadsOf({ path, head, type, body }: Seen): string[] {
  const isText = /html|xml|json|text/.test(type);
  const text = isText ? body.toString() : "";
  const found = [
    ...Array.from(head.matchAll(/^location: (.*)$/gm), ([, to]) => to!),
    ...Array.from(text.matchAll(/\s(?:href|src|action|content)="([^"]*)"/g), ([, to]) => to!),
    ...Array.from(text.matchAll(/\ssrcset="([^"]*)"/gi), ([, set]) => candidates(set!)).flat(),
    ...Array.from(text.matchAll(/<loc>([^<]*)</g), ([, to]) => to!),
    ...Array.from(text.matchAll(/"src":\s*"([^"]*)"/g), ([, to]) => to!),
    ...Array.from(text.matchAll(/<form\b[^>]*>.*?<\/form>/gs), ([form]) => asking(form)).flat(),
  ];
  return found.map(unescape).flatMap((to) => ownAddress(to, path));
}

function candidates(set: string): string[] {
  return set.split(",").map((candidate) => candidate.trim().split(" ")[0]!);
}

/** A form without a post, as its address with all its fields. */
function asking(form: string): string[] {
  const open = /<form\b[^>]*>/.exec(form)![0];
  if (/method="post"/i.test(open)) return [];
  const action = /action="([^"]*)"/.exec(open)?.[1] ?? "";
  const fields = Array.from(form.matchAll(/\sname="([^"]*)"(?:[^>]*\svalue="([^"]*)")?/g));
  const query = new URLSearchParams(fields.map(([, name, value]) => [name!, value ?? "x"]));
  // A browser puts the fields in the place of what the address asked before.
  return [`${action.split("?")[0]}?${query}`];
}

function unescape(text: string): string {
  return text.replaceAll("&amp;", "&").replaceAll("&#x27;", "'").replaceAll("&quot;", '"');
}

function ownAddress(to: string, from: string): string[] {
  if (!/^(\/|\?|\.|https?:)/.test(to)) return [];
  const base = new URL(from.replace(/\.data(?=\?|$)/, ""), "http://kickabout.test");
  if (!URL.canParse(to, base)) return [];
  const url = new URL(to, base);
  // Built files are the same for everybody.
  if (url.origin !== base.origin || url.pathname.startsWith("/assets/")) return [];
  return isSubset(url, base) ? [] : [url.pathname + url.search];
}

/** A list with some of its filters dropped; all combinations would be thousands of pages. */
function isSubset(url: URL, base: URL): boolean {
  if (url.pathname !== base.pathname || url.search === "") return false;
  return [...url.searchParams].every(([name, value]) => base.searchParams.has(name, value));
}

/** Where the browser's router asks for what a page shows: all of it, and each route alone. */
function dataOf({ path, type, status }: Seen, places: Place[]): string[] {
  const [pathname = "", search = ""] = path.split("?");
  if (!type.includes("html") && status < 300) return [];
  if (pathname.endsWith(".data")) return [];
  const data = pathname === "/" ? "/_root.data" : `${pathname}.data`;
  const ids = new Set(places.filter((place) => fits(place, pathname)).flatMap(({ ids }) => ids));
  const variants = [...ids].map((id) => `_routes=${encodeURIComponent(id)}`);
  const queries = ["", ...variants].map((one) => [search, one].filter(Boolean).join("&"));
  return queries.map((query) => (query ? `${data}?${query}` : data));
}

function fits({ path }: Place, pathname: string): boolean {
  const pattern = path.replace(/[.]/g, "\\.").replace(/:[A-Za-z]+/g, "[^/]+");
  return new RegExp(`^${pattern.replace("*", ".*")}$`).test(pathname);
}
