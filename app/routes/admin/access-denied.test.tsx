import { expect, test } from "vitest";
import { headingsOf, linksOf, renderPage } from "../../../test/screen.tsx";
import { ErrorBoundary } from "../layouts/admin.tsx";

test("whom the guard refuses reads 'Access Denied', and finds the way back", () => {
  const error = { status: 403, statusText: "", internal: false, data: "Access Denied" };
  const html = renderPage(ErrorBoundary, { error });
  expect(headingsOf(html, 1)).toEqual(["Access Denied"]);
  expect(linksOf(html)).toEqual(["Back to Games → /events"]);
});
