/** The address of a page of the same list; null is its first. */
export function pageOf(path: string, query: URLSearchParams, after: string | null): string {
  const kept = new URLSearchParams(query);
  // By which the router asks for one route's data alone.
  kept.delete("_routes");
  kept.delete("after");
  if (after) kept.set("after", after);
  return kept.size > 0 ? `${path}?${kept}` : path;
}
