import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { PostForm } from "#app/forms/post-form.tsx";
import type { EntityNoun } from "#app/platform/schema.ts";
import { MoveButton } from "#app/routes/admin/move-button.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ChevronDown } from "#app/ui/icon.tsx";
import { SwitchButton } from "#app/ui/switch-button.tsx";
import { idName, pathOf } from "./noun.ts";

interface Row {
  id: string;
  name: string;
  isActive: boolean;
}

interface OrderedListProps<R extends Row> {
  noun: EntityNoun;
  rows: R[];
  toRow: (row: R) => ReactNode;
  empty: string;
}

/** A list in the order that organisers give it, each row with a switch and its page. */
export function OrderedList<R extends Row>({ noun, rows, toRow, empty }: OrderedListProps<R>) {
  if (rows.length === 0) return <EmptyState>{empty}</EmptyState>;
  const [path, idField] = [pathOf(noun), idName(noun)];
  return (
    <ol className="grid gap-3">
      {rows.map((row, index) => (
        <li key={row.id}>
          <article
            aria-label={row.name}
            className="grid gap-3 rounded-card bg-surface p-3 shadow-card md:grid-cols-[minmax(0,1fr)_auto] md:items-center md:gap-6"
          >
            {toRow(row)}
            <div className="flex flex-wrap items-center justify-between gap-2">
              <ActiveSwitch path={path} idField={idField} row={row} />
              <PostForm action={path} preventScrollReset className="flex">
                <input type="hidden" name={idField} value={row.id} />
                <Move direction="up" name={row.name} isAtEnd={index === 0} />
                <Move direction="down" name={row.name} isAtEnd={index === rows.length - 1} />
              </PostForm>
              <ButtonLink to={`${path}/${row.id}`} aria-label={`Edit ${row.name}`}>
                Edit
              </ButtonLink>
            </div>
          </article>
        </li>
      ))}
    </ol>
  );
}

type MoveProps = { direction: "up" | "down"; name: string; isAtEnd: boolean };

function Move({ direction, name, isAtEnd }: MoveProps) {
  return (
    <MoveButton
      variant="quiet"
      name="intent"
      value={direction}
      aria-label={`Move ${name} ${direction}`}
      isAtEnd={isAtEnd}
      className="px-2.5"
    >
      <ChevronDown className={direction === "up" ? "size-5 rotate-180" : "size-5"} />
    </MoveButton>
  );
}

type ActiveSwitchProps = { path: string; idField: string; row: Row };

function ActiveSwitch({ path, idField, row: { id, name, isActive } }: ActiveSwitchProps) {
  const { formData } = useNavigation();
  const isTurning = formData?.get("intent") === "switch" && formData.get(idField) === id;
  const isOn = isTurning ? formData.get("isActive") === "true" : isActive;
  return (
    <PostForm action={path} preventScrollReset>
      <input type="hidden" name="intent" value="switch" />
      <input type="hidden" name={idField} value={id} />
      <input type="hidden" name="isActive" value={String(!isActive)} />
      <SwitchButton label={`Active: ${name}`} isOn={isOn}>
        Active
      </SwitchButton>
    </PostForm>
  );
}
