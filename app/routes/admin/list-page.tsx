import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Plus } from "#app/ui/icon.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { keepListQuery } from "./list-query.ts";
import { AdminPage } from "./page.tsx";

interface ListPageProps<Row> {
  title: string;
  /** The list's path; a row links to `path/id`. */
  path: string;
  /** The label of the link to `path/new`. */
  newLabel?: string;
  rows: Row[];
  toRow: (row: Row) => ReactNode;
  rowClass: string;
  empty: string;
  emptyAction?: ReactNode;
  pages?: ReturnType<typeof pagesOf>;
  plural?: string;
  children?: ReactNode;
}

export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { title, path, newLabel, rows, toRow, rowClass, empty, children } = props;
  const { plural = title.toLowerCase() } = props;
  const { first, next } = props.pages ?? ONE_PAGE;
  const { search } = useLocation();
  useEffect(() => keepListQuery(path, search), [path, search]);
  const newLink = newLabel && (
    <ButtonLink to={`${path}/new`} variant="primary">
      <Plus className="size-5" /> {newLabel}
    </ButtonLink>
  );
  return (
    <AdminPage title={title} aside={newLink}>
      {children}
      {rows.length === 0 && <EmptyState action={props.emptyAction}>{empty}</EmptyState>}
      <ul className="grid gap-3 empty:hidden md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
        {rows.map((row) => (
          <li key={row.id} className="min-w-0 md:border-t md:border-line md:first:border-t-0">
            <Link to={`${path}/${row.id}`} className={classNames(linkClass, rowClass)}>
              {toRow(row)}
            </Link>
          </li>
        ))}
      </ul>
      <Pager label={`Pages of ${plural}`} first={first} next={next} />
    </AdminPage>
  );
}

const ONE_PAGE = { first: null, next: null };

const linkClass =
  "grid items-center gap-x-4 gap-y-2 rounded-card bg-surface p-4 shadow-card hover:bg-sunken " +
  "md:rounded-none md:bg-transparent md:[box-shadow:none] md:hover:bg-sunken focus-visible:-outline-offset-3";

/** Links to the first page, unless on it, and to the next. */
export function pagesOf(path: string, query: URLSearchParams, next: string | null) {
  return {
    first: query.get("after") ? pageOf(path, query, null) : null,
    next: next && pageOf(path, query, next),
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
