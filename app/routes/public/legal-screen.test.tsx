import { expect, test } from "vitest";
import { headingsOf, renderPage, textOf } from "#test/screen.tsx";
import Legal from "./legal.tsx";

const PAGES = [
  { name: "terms", path: "/terms", failure: "Failed to load Terms & Conditions" },
  { name: "privacy", path: "/privacy", failure: "Failed to load Privacy Policy" },
];

// spec: 2.112
test.each(PAGES)("$name: a text is plain text, its line breaks kept", ({ path }) => {
  const loaderData = { title: "Our <i>rules</i>", content: "One\n\n<b>Two</b> & three" };
  const html = renderPage(Legal, { loaderData }, path);
  expect(headingsOf(html, 1)).toEqual(["Our <i>rules</i>"]);
  expect(html).not.toMatch(/<[bi]>/);
  expect(html).toMatch(/<div class="[^"]*\bwhitespace-pre-line\b[^"]*">One\n\n&lt;b&gt;Two/);
});

// spec: 8.32
test.each(PAGES)("$name: where there is no text the page says so", ({ path, failure }) => {
  const text = textOf(renderPage(Legal, { loaderData: null }, path));
  expect(text).toContain(`|${failure}|`);
  expect(text).toContain("|Try Again|");
});
