import type { ComponentProps, MouseEvent } from "react";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";

type MoveButtonProps = Omit<ComponentProps<typeof Button>, "onClick"> & { isAtEnd: boolean };

// At the end of the list it does nothing, but is not disabled: a keyboard user who has just pressed
// it would lose the focus.
export function MoveButton({ isAtEnd, className, ...rest }: MoveButtonProps) {
  return (
    <Button
      {...rest}
      aria-disabled={isAtEnd || undefined}
      onClick={isAtEnd ? stay : undefined}
      className={classNames(isAtEnd && endClass, className)}
    />
  );
}

const endClass =
  "aria-disabled:border-line aria-disabled:bg-sunken aria-disabled:text-muted " +
  "aria-disabled:hover:border-line";

function stay(event: MouseEvent) {
  event.preventDefault();
}
