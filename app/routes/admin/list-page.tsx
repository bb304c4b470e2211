import type { ComponentProps, ReactNode } from "react";
import { Form, Link, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Plus } from "#app/ui/icon.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { AdminPage } from "./page.tsx";

interface ListPageProps<Row> {
  title: string;
  /** The list's; a row links to `path/id`. */
  path: string;
  /** Labels the link to `path/new`. */
  newLabel?: string;
  rows: Row[];
  toRow: (row: Row) => ReactNode;
  /** Sets a row's columns. */
  rowClass: string;
  /** Shown if there are no rows. */
  empty: string;
  emptyAction?: ReactNode;
  pages?: ReturnType<typeof pagesOf>;
  plural?: string;
  /** Above the rows, such as a filter. */
  children?: ReactNode;
}

/** The list of an admin tab: cards on a phone, a table on a laptop; each row is a link. */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { title, path, newLabel, rows, toRow, rowClass, empty, children } = props;
  const { plural = title.toLowerCase() } = props;
  const { first, next } = props.pages ?? ONE_PAGE;
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
  "md:rounded-none md:bg-transparent md:shadow-none md:hover:bg-sunken focus-visible:-outline-offset-3";

interface FilterFormProps extends Pick<ComponentProps<typeof Form>, "role" | "className"> {
  path: string;
  /** The current filter: the fields reset when it changes. */
  filter: unknown;
  submit?: string;
  pendingLabel?: string;
  children: ReactNode;
}

/** Keeps the filter in the URL. */
export function FilterForm({ path, filter, children, ...props }: FilterFormProps) {
  const { submit = "Show", pendingLabel = "Showing…", ...form } = props;
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === path && formMethod === "GET";
  return (
    // After going back, the fields show that page's filter.
    <Form {...form} key={JSON.stringify(filter)} method="get" action={path}>
      {children}
      <Button
        pending={isPending}
        pendingLabel={pendingLabel}
        className="min-h-12 max-md:col-span-2"
      >
        {submit}
      </Button>
    </Form>
  );
}

type SearchFormProps = { path: string; label: string; words: string; max: number };

export function SearchForm({ path, label, words, max }: SearchFormProps) {
  return (
    <FilterForm
      path={path}
      filter={words}
      role="search"
      submit="Search"
      pendingLabel="Searching…"
      className="flex items-end gap-3"
    >
      <TextField
        label={label}
        type="search"
        name="q"
        defaultValue={words}
        maxLength={max}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        className="min-w-0 grow"
      />
    </FilterForm>
  );
}

/** Links to the first page (unless on it) and the next. */
export function pagesOf(path: string, query: URLSearchParams, next: string | null) {
  return {
    first: query.get("after") ? pageOf(path, query, null) : null,
    next: next && pageOf(path, query, next),
  };
}

/** With `after` null the first page. */
function pageOf(path: string, query: URLSearchParams, after: string | null): string {
  const kept = new URLSearchParams(query);
  // React Router adds this to ask for one route's data.
  kept.delete("_routes");
  kept.delete("after");
  if (after) kept.set("after", after);
  return kept.size > 0 ? `${path}?${kept}` : path;
}
