import { type ChangeEvent, type ComponentProps, type ReactNode, useState } from "react";
import { Form, useLocation, useNavigation, useNavigationType, useSubmit } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { TextField } from "#app/ui/field.tsx";

interface FilterFormProps extends Pick<ComponentProps<typeof Form>, "role" | "className"> {
  path: string;
  found: string;
  submit?: string;
  pendingLabel?: string;
  submitClass?: string;
  children: ReactNode;
}

/** Keeps the filter in the URL; a choice applies at once, words with the button or Enter. */
export function FilterForm({ path, found, children, ...props }: FilterFormProps) {
  const { submit = "Show", pendingLabel = "Showing…", submitClass, ...form } = props;
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === path && formMethod === "GET";
  const send = useSubmit();
  const apply = ({ target, currentTarget }: ChangeEvent<HTMLFormElement>) => {
    if (!((target as Element) instanceof HTMLSelectElement)) return;
    // One step back leaves the list, however many choices an arrow key went through.
    send(currentTarget, { replace: true, preventScrollReset: true, state: OWN });
  };
  return (
    <>
      <Form
        {...form}
        key={useShownFilter()}
        method="get"
        action={path}
        state={OWN}
        onChange={apply}
      >
        {children}
        <Button
          pending={isPending}
          pendingLabel={pendingLabel}
          className={classNames("min-h-12", submitClass ?? "max-md:col-span-2")}
        >
          {submit}
        </Button>
      </Form>
      <p role="status" className="sr-only">
        {found}
      </p>
    </>
  );
}

/** Rare filters, folded unless the list came with one of them. */
export function MoreFilters({ isSet, children }: { isSet: boolean; children: ReactNode }) {
  // Keeps the first state: undoing a choice must not fold away the field that has the focus.
  const [isOpen] = useState(isSet);
  return (
    <details open={isOpen} className="group open:col-span-full md:order-last md:col-span-full">
      <summary className="link inline-flex min-h-12 cursor-pointer items-center">
        More filters
      </summary>
      <div className="grid grid-cols-2 items-end gap-3 pt-1 md:grid-cols-4">{children}</div>
    </details>
  );
}

const OWN = { isFilter: true };

/** A new value resets the fields. If the form itself led here it stays, and so does the focus. */
function useShownFilter(): string {
  const { key, state } = useLocation();
  const isOwn = useNavigationType() !== "POP" && (state as typeof OWN | null)?.isFilter;
  const [shown, setShown] = useState(key);
  if (!isOwn && shown !== key) setShown(key);
  return shown;
}

type SearchFormProps = Pick<FilterFormProps, "path" | "found"> & SearchFieldProps;

export function SearchForm({ path, found, ...field }: SearchFormProps) {
  return (
    <FilterForm
      path={path}
      found={found}
      role="search"
      submit="Search"
      pendingLabel="Searching…"
      className="flex items-end gap-3"
    >
      <SearchField {...field} className="grow" />
    </FilterForm>
  );
}

type SearchFieldProps = { label: string; words: string; max: number; className?: string };

export function SearchField({ label, words, max, className }: SearchFieldProps) {
  return (
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
      className={classNames("min-w-0", className)}
    />
  );
}

/** "12 results", or "50 results and more" if there are further pages. */
export function foundText(count: number, pages: { next: string | null }): string {
  if (count === 0) return "No results";
  return `${count === 1 ? "1 result" : `${count} results`}${pages.next ? " and more" : ""}`;
}
