import { existsSync } from "node:fs";
import path from "node:path";
import type { MetaDescriptor } from "react-router";
import { describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { ada } from "#test/fixtures.ts";
import routes from "#app/routes.ts";
import { breadcrumbs, pageMeta, siteOf } from "./meta.ts";
import { organization } from "./structured-data.ts";

const SITE = {
  brandName: "Kickabout",
  companyName: "Kickabout Oy",
  contactEmail: "hello@kickabout.test",
  appUrl: "https://kickabout.test",
};
const MATCHES = [{ id: "root", loaderData: { site: SITE } }];

// What a search engine may show; every other page has to ask it not to.
const GAMES = ["/", "/events/:gameId", "/venues", "/venues/:venueId"];
const OPEN = [...GAMES, "/terms", "/privacy", "/accessibility"];

interface Entry {
  path?: string | undefined;
  file: string;
  children?: Entry[] | undefined;
}

interface FoundPage {
  path: string;
  file: string;
  /** The files of the layouts around it. */
  layouts: string[];
}

/** Every page of app/routes.ts with its whole path; layouts that add no path are none. */
function pagesOf(entries: Entry[], above = "", layouts: string[] = []): FoundPage[] {
  return entries.flatMap(({ path: own, file, children }) => {
    const here = own ? `${above}/${own}` : above;
    const page = own || !children ? [{ path: here || "/", file, layouts }] : [];
    return [...page, ...pagesOf(children ?? [], here, [...layouts, file])];
  });
}

interface Module {
  default?: unknown;
  handle?: { noindex?: boolean };
  meta?: (args: object) => MetaDescriptor[];
}
const open = async (file: string) =>
  (await import(/* @vite-ignore */ path.join(import.meta.dirname, "..", file))) as Module;

const find = (tags: MetaDescriptor[], name: string, key = "property") => {
  const tag = tags.find((candidate) => (candidate as Record<string, unknown>)[key] === name);
  return (tag as { content?: string; href?: string } | undefined) ?? {};
};

const pages = pagesOf(routes as Entry[]).filter(({ file }) => file.endsWith(".tsx"));

describe.each(pages)("$path ($file)", ({ path: address, file, layouts }) => {
  // spec: 2.12, 2.13
  test("has a title and a description, and hides where it is private", async () => {
    expect(existsSync(path.join(import.meta.dirname, "..", file))).toBe(true);
    const page = await open(file);
    expect(page.default, "a page").toBeTypeOf("function");
    const around = await Promise.all(layouts.map(open));
    // A page without its own has that of the nearest page around it, as the router does.
    const { meta } = [...around, page].findLast((module) => module.meta) ?? {};
    expect(meta, "its meta").toBeTypeOf("function");
    const location = { pathname: address };
    const tags = meta!({ matches: MATCHES, params: {}, loaderData: undefined, location });
    expect(titleOf(tags)).toMatch(/\S.* · Kickabout$/);
    expect(find(tags, "description", "name").content).toMatch(/\S/);
    const isHidden =
      around.some(({ handle }) => handle?.noindex) ||
      find(tags, "robots", "name").content === "noindex";
    expect(isHidden || OPEN.includes(address), "noindex").toBe(true);
  });
});

test("the walk sees the pages", () => {
  expect(pages.length).toBeGreaterThan(20);
  const paths = pages.map((page) => page.path);
  for (const address of ["/", "/events/:gameId", "/profile/player-card", "/card/:token"]) {
    expect(paths).toContain(address);
  }
});

describe("the head of a page", () => {
  const picture = { path: "/p.png?v=1", width: 1200, height: 630, alt: "A picture" };
  const tags = pageMeta(SITE, { title: "Töölö", description: "Play.", path: "/x", image: picture });

  test("names itself, its address and its picture with its measures", () => {
    expect(titleOf(tags)).toBe("Töölö · Kickabout");
    expect(find(tags, "canonical", "rel").href).toBe("https://kickabout.test/x");
    const expected = {
      "og:title": "Töölö",
      "og:description": "Play.",
      "og:type": "website",
      "og:url": "https://kickabout.test/x",
      "og:image": "https://kickabout.test/p.png?v=1",
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": "A picture",
    };
    for (const [name, content] of Object.entries(expected)) {
      expect(find(tags, name).content, name).toBe(content);
    }
    expect(find(tags, "twitter:card", "name").content).toBe("summary_large_image");
    expect(find(tags, "robots", "name")).toEqual({});
  });

  test("has the site's own picture where the page has none", () => {
    const { content } = find(pageMeta(SITE, { title: "Terms" }), "og:image");
    expect(content).toBe("https://kickabout.test/social-card-1200x630.png");
    const file = path.join(import.meta.dirname, "../../public/social-card-1200x630.png");
    expect(existsSync(file)).toBe(true);
  });

  // spec: 2.13
  test("hides where the page asks for it", () => {
    const hidden = pageMeta(SITE, { title: "Wallet", noindex: true });
    expect(find(hidden, "robots", "name").content).toBe("noindex");
    expect(find(hidden, "canonical", "rel")).toEqual({});
  });

  test("still has a title where the site is not known", () => {
    expect(pageMeta(siteOf([]), { title: "Terms" })).toEqual([{ title: "Terms" }]);
  });
});

test("the front page says who runs the site", async () => {
  const { meta } = await open("routes/public/landing.tsx");
  const tags = meta!({ matches: MATCHES, params: {} });
  expect(tags).toContainEqual({ "script:ld+json": organization(SITE) });
  expect(organization(SITE)).toMatchObject({
    "@type": "Organization",
    name: "Kickabout",
    url: "https://kickabout.test",
    logo: "https://kickabout.test/icon-512.png",
  });
});

test("a way is numbered from 1 and has whole addresses", () => {
  const way = breadcrumbs(SITE, [
    { name: "Kickabout", path: "/" },
    { name: "Töölö Cage", path: "/venues/1" },
  ]);
  expect(way.itemListElement).toEqual([
    { "@type": "ListItem", position: 1, name: "Kickabout", item: "https://kickabout.test/" },
    {
      "@type": "ListItem",
      position: 2,
      name: "Töölö Cage",
      item: "https://kickabout.test/venues/1",
    },
  ]);
});

function titleOf(tags: MetaDescriptor[]): string {
  return String((tags.find((tag) => "title" in tag) as { title?: string } | undefined)?.title);
}

describe("a page under a layout that says noindex", () => {
  const database = useDatabase();

  test("has one such tag in its head, another page has none", async () => {
    const app = testApp(database);
    const site = await openSite(app);
    const cookie = await signIn(app, await ada(app.db));
    const tagsOf = async (path: string) =>
      (await (await site(path, { cookie })).text()).match(/<meta name="robots"[^>]*>/g);
    expect(await tagsOf("/events")).toEqual(['<meta name="robots" content="noindex"/>']);
    expect(await tagsOf("/venues")).toBeNull();
  });
});
