import { expect, test } from "vitest";
import { pageHeaders } from "./page-headers.ts";

test("every cookie is kept, other headers are the action's, and no cache keeps the page", () => {
  const loaderHeaders = new Headers({ "X-From": "loader", "Set-Cookie": "toast=" });
  const actionHeaders = new Headers({ "X-From": "action" });
  for (const cookie of ["session=a", "device=b"]) actionHeaders.append("Set-Cookie", cookie);
  const none = { parentHeaders: new Headers(), errorHeaders: undefined };
  const headers = new Headers(pageHeaders({ ...none, loaderHeaders, actionHeaders }));
  expect(headers.getSetCookie()).toEqual(["toast=", "session=a", "device=b"]);
  expect([headers.get("X-From"), headers.get("Cache-Control")]).toEqual(["action", "no-store"]);
});
