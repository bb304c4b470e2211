import type { MetaDescriptor, MetaFunction } from "react-router";

export interface Site {
  brandName: string;
  companyName: string;
  contactEmail: string;
  appUrl: string;
}

interface Page {
  title: string;
  description?: string;
  path?: string;
  image?: typeof OWN_IMAGE | undefined;
  noindex?: boolean;
}

const OWN_IMAGE = {
  path: "/social-card-1200x630.png",
  width: 1200,
  height: 630,
  alt: "A pitch between the blocks at night, under floodlights",
};

export function metaOf(page: Page): MetaFunction {
  return ({ matches }) => pageMeta(siteOf(matches), page);
}

export function pageMeta(site: Site | undefined, page: Page): MetaDescriptor[] {
  if (!site) return [{ title: page.title }];
  const description = page.description ?? "Find a pick-up game on campus, join it and play.";
  const { path, width, height, alt } = page.image ?? OWN_IMAGE;
  const tags: MetaDescriptor[] = [
    { title: `${page.title} · ${site.brandName}` },
    { name: "description", content: description },
    { property: "og:site_name", content: site.brandName },
    { property: "og:title", content: page.title },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:image", content: site.appUrl + path },
    { property: "og:image:width", content: String(width) },
    { property: "og:image:height", content: String(height) },
    { property: "og:image:alt", content: alt },
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

export function breadcrumbs(site: Site, steps: { name: string; path: string }[]) {
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: steps.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: site.appUrl + path,
    })),
  };
}

export function siteOf(matches: readonly unknown[]): Site | undefined {
  const [root] = matches as { loaderData?: { site?: Site } }[];
  return root?.loaderData?.site;
}
