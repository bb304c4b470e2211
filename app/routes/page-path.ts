/**
 * The page that a request is about. The router's own requests end in `.data`, for a page whose
 * address ends in a slash in `/_.data`; it takes an address with and without that slash for one.
 */
export function pagePath(url: string): string {
  const { pathname } = new URL(url);
  return pathname.replace(/(\/_(root)?)?\.data$/, "").replace(/\/$/, "") || "/";
}
