import type { HeadersFunction } from "react-router";

/** For pages that show or change who is signed in: never cached. */
export const pageHeaders: HeadersFunction = ({ actionHeaders, loaderHeaders }) => {
  const headers = new Headers(loaderHeaders);
  for (const [name, value] of actionHeaders) {
    // Each cookie is a header of its own.
    if (name === "set-cookie") headers.append(name, value);
    else headers.set(name, value);
  }
  headers.set("Cache-Control", "no-store");
  return headers;
};
