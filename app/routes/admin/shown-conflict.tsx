import type { ComponentProps } from "react";
import { EditConflict } from "#app/forms/edit-conflict.tsx";
import { FocusedBox } from "#app/forms/form-errors.tsx";

/** A conflict that takes the focus. */
export function ShownConflict({ differences }: ComponentProps<typeof EditConflict>) {
  return (
    <FocusedBox of={differences} label="Conflict">
      <EditConflict differences={differences} />
    </FocusedBox>
  );
}
