import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Plus } from "#app/ui/icon.tsx";
import { keptKey, writeKept } from "#app/ui/kept.ts";
import { Pager } from "#app/ui/pager.tsx";
import type { Pages } from "./list-query.server.ts";
import { AdminPage } from "./page.tsx";

interface ListPageProps<Row> {
  title: string;
  path: string;
  newLabel?: string;
  about?: string;
  aside?: ReactNode;
  rows: Row[];
  toRow: (row: Row) => ReactNode;
  /** What a row's link looks like; without it rows are no links. */
  rowClass?: string;
  empty: string;
  emptyAction?: ReactNode;
  pages?: Pages;
  plural?: string;
  children?: ReactNode;
  end?: ReactNode;
}

/** Filter, list or what it means that it is empty, and the links to its other pages. */
export function ListPage<Row extends { id: string | number }>(props: ListPageProps<Row>) {
  const { title, path, newLabel, rows, empty, children, end } = props;
  const { plural = title.toLowerCase() } = props;
  const { first, next } = props.pages ?? ONE_PAGE;
  const { search } = useLocation();
  useEffect(() => void writeKept(keptKey("filters", path), search || null), [path, search]);
  const newLink = newLabel && (
    <ButtonLink to={`${path}/new`} variant="primary">
      <Plus className="size-5" /> {newLabel}
    </ButtonLink>
  );
  return (
    <AdminPage title={title} about={props.about} aside={newLink ?? props.aside}>
      {children}
      {rows.length === 0 && <EmptyState action={props.emptyAction}>{empty}</EmptyState>}
      {rows.length > 0 && <Rows {...props} />}
      <Pager label={`Pages of ${plural}`} first={first} next={next} />
      {end}
    </AdminPage>
  );
}

function Rows<Row extends { id: string | number }>(props: ListPageProps<Row>) {
  const { path, rows, toRow, rowClass } = props;
  if (rowClass === undefined) {
    return (
      <ol className="divide-y divide-line rounded-card bg-surface shadow-card">
        {rows.map((row) => (
          <li key={row.id} className="px-4 pt-3">
            {toRow(row)}
          </li>
        ))}
      </ol>
    );
  }
  return (
    <ul className="grid gap-3 md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
      {rows.map((row) => (
        <li key={row.id} className="min-w-0 md:border-t md:border-line md:first:border-t-0">
          <Link to={`${path}/${row.id}`} className={classNames(linkClass, rowClass)}>
            {toRow(row)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const ONE_PAGE = { first: null, next: null };

const linkClass =
  "grid items-center gap-x-4 gap-y-2 rounded-card bg-surface p-4 shadow-card hover:bg-sunken " +
  "md:rounded-none md:bg-transparent md:[box-shadow:none] md:hover:bg-sunken focus-visible:-outline-offset-3";
