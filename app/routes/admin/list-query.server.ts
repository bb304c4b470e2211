import { queryOf } from "#app/forms/form-fields.server.ts";

/** Links to the first page, unless on it, and to the next. */
export interface Pages {
  first: string | null;
  next: string | null;
}

/** The filter in a list's address; `pages` are the addresses of its other pages. */
export function listQuery(request: Request, path: string) {
  const query = queryOf(request);
  const after = query.get("after");
  return {
    ...{ query, after },
    // PostgreSQL takes no NUL in a text.
    word: (name: string, max: number) =>
      (query.get(name) ?? "").replaceAll("\0", "").trim().slice(0, max),
    pages: (next: string | null): Pages => ({
      first: after && pageOf(path, query, null),
      next: next && pageOf(path, query, next),
    }),
  };
}

function pageOf(path: string, query: URLSearchParams, after: string | null): string {
  const kept = new URLSearchParams(query);
  // React Router adds it to ask for one route's data.
  kept.delete("_routes");
  kept.delete("after");
  if (after) kept.set("after", after);
  return kept.size > 0 ? `${path}?${kept}` : path;
}
