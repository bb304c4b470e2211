// The page that a request is about. The router's own requests end in `.data`, or in `/_.data` after
// a slash; it treats addresses with and without a final slash as the same.
export function pagePath(url: string): string {
  const { pathname } = new URL(url);
  return pathname.replace(/(\/_(root)?)?\.data$/, "").replace(/\/$/, "") || "/";
}
