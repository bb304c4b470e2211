import type { ComponentProps } from "react";
import { Button } from "./button.tsx";

type DialogButtonProps = Omit<ComponentProps<typeof Button>, "type" | "onClick"> & {
  dialog: string;
};

/** Opens a dialog of the same page, before hydration too where the browser knows invokers. */
export function DialogTrigger({ dialog, ...button }: DialogButtonProps) {
  return (
    <Button
      {...button}
      {...invoker("show-modal", dialog)}
      type="button"
      aria-haspopup="dialog"
      onClick={() => hasInvokers() || dialogOf(dialog)?.showModal()}
    />
  );
}

/** Closes the dialog, for "Cancel" and "Keep my spot". */
export function DialogClose({ dialog, ...button }: DialogButtonProps) {
  return (
    <Button
      {...button}
      {...invoker("close", dialog)}
      type="button"
      onClick={() => hasInvokers() || dialogOf(dialog)?.close()}
    />
  );
}

// React's types do not know these attributes yet; React passes them on as they are.
function invoker(command: "show-modal" | "close", commandfor: string) {
  return { command, commandfor };
}

function hasInvokers(): boolean {
  return "commandForElement" in HTMLButtonElement.prototype;
}

function dialogOf(id: string): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>(`dialog[id="${CSS.escape(id)}"]`);
}
