import { expect, test } from "vitest";
import { ErrorBoundary as RootBoundary } from "#app/root.tsx";
import { headingsOf, linksOf, renderPage } from "#test/screen.tsx";
import { ErrorBoundary } from "#app/routes/layouts/admin.tsx";

// spec: 2.111, 6.11
test.each([
  ["in the site's frame", ErrorBoundary],
  ["as a whole page", RootBoundary],
])("a player at an admin page reads 'Access Denied' and finds the way back: %s", (_, boundary) => {
  const error = { status: 403, statusText: "", internal: false, data: "Access Denied" };
  const html = renderPage(boundary, { error });
  expect(headingsOf(html, 1)).toEqual(["Access Denied"]);
  expect(linksOf(html)).toEqual(["Back to Games → /events"]);
  expect(html.includes("<main")).toBe(boundary === RootBoundary);
});
