import { expect, test } from "vitest";
import { headingsOf, linksOf, renderPage } from "#test/screen.tsx";
import { ErrorBoundary } from "#app/routes/layouts/admin.tsx";
import { ErrorBoundary as PrintBoundary } from "#app/routes/admin/games/print.tsx";

// spec: 2.111, 6.11
test.each([
  ["on the desk", ErrorBoundary],
  ["beside it, on paper", PrintBoundary],
])("whom the guard refuses reads 'Access Denied', and finds the way back: %s", (_, boundary) => {
  const error = { status: 403, statusText: "", internal: false, data: "Access Denied" };
  const html = renderPage(boundary, { error });
  expect(headingsOf(html, 1)).toEqual(["Access Denied"]);
  expect(linksOf(html)).toEqual(["Back to Games → /events"]);
  // The desk's own stands in the site's frame.
  expect(html.includes("<main")).toBe(boundary === PrintBoundary);
});
