import type { MetaDescriptor } from "react-router";

export interface Site {
  brandName: string;
  appUrl: string;
}

interface Page {
  title: string;
  description?: string;
  /** The page's own path, for the canonical link. */
  path?: string;
  /** A picture of ours for social cards, as a path. */
  image?: string | null;
  /** Private pages and answers to nobody's question stay out of search engines. */
  noindex?: boolean;
}

/** Title, description, canonical link and social tags of a page. */
export function pageMeta(site: Site | undefined, page: Page): MetaDescriptor[] {
  if (!site) return [{ title: page.title }];
  const title = `${page.title} · ${site.brandName}`;
  const description = page.description ?? "Find a pick-up game on campus, join it and play.";
  const image = site.appUrl + (page.image ?? "/social-card-1200x630.png");
  const tags: MetaDescriptor[] = [
    { title },
    { name: "description", content: description },
    { property: "og:site_name", content: site.brandName },
    { property: "og:title", content: page.title },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:image", content: image },
    { name: "twitter:card", content: "summary_large_image" },
  ];
  if (page.path !== undefined) {
    const url = site.appUrl + page.path;
    tags.push(
      { tagName: "link", rel: "canonical", href: url },
      { property: "og:url", content: url },
    );
  }
  if (page.noindex) tags.push({ name: "robots", content: "noindex" });
  return tags;
}

/** The site's names, from the root's loader, for a route's `meta`. */
export function siteOf(matches: readonly unknown[]): Site | undefined {
  const [root] = matches as { loaderData?: { site?: Site } }[];
  return root?.loaderData?.site;
}
