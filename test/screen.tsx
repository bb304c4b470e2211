import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";

/** What pages know of the site that they are a part of. */
export const SITE = {
  brandName: "Kickabout",
  companyName: "Kickabout Oy",
  contactEmail: "hello@kickabout.test",
  universityName: "Test University",
  appUrl: "http://kickabout.test",
  demo: false,
};

/**
 * The HTML of a page as the server sends it, without its layout. Each route types its own props;
 * the router hands them over.
 */
export function renderPage(page: unknown, props: object = {}, path = "/"): string {
  const Page = page as ComponentType<object>;
  const Stub = createRoutesStub([{ id: "root", path: "*", Component: () => <Page {...props} /> }]);
  const hydrationData = { loaderData: { root: { site: SITE } } };
  return renderToStaticMarkup(<Stub initialEntries={[path]} hydrationData={hydrationData} />);
}

/** Without what only a browser reads: the data of the page, and the scripts that load. */
export const withoutScripts = (html: string) => html.replaceAll(/<script\b.*?<\/script>/gs, "");

/** What is read on a page, a bar between two pieces. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, "|")
    .replaceAll(/\|+/g, "|")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** The text of every link, each with its address: "Terms → /terms". */
export function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)].map(
    ([, attributes = "", inner = ""]) =>
      `${plainText(inner)} → ${textOf(/href="([^"]*)"/.exec(attributes)?.[1] ?? "")}`,
  );
}

/** The text of every button. */
export function buttonsOf(html: string): string[] {
  return [...html.matchAll(/<button\b[^>]*>(.*?)<\/button>/gs)].map(([, inner = ""]) =>
    plainText(inner),
  );
}

/** The text of every heading of that level. */
export function headingsOf(html: string, level: number): string[] {
  const headings = html.matchAll(new RegExp(`<h${level}\\b[^>]*>(.*?)</h${level}>`, "gs"));
  return [...headings].map(([, inner = ""]) => plainText(inner));
}

function plainText(html: string): string {
  return textOf(html).replaceAll("|", " ").replaceAll(/\s+/g, " ").trim();
}
