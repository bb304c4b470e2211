import { queryOf } from "#app/forms/form-fields.server.ts";
import { pagesOf } from "./list-page.tsx";

/** What a list's address asks for: `word` reads a filter, `pages` makes the links to other pages. */
export function listQuery(request: Request, path: string) {
  const query = queryOf(request);
  return {
    query,
    // PostgreSQL takes no NUL in a text.
    word: (name: string, max: number) =>
      (query.get(name) ?? "").replaceAll("\0", "").trim().slice(0, max),
    after: query.get("after"),
    pages: (next: string | null) => pagesOf(path, query, next),
  };
}
