import type { ComponentProps } from "react";
import { Button } from "./button.tsx";

type DialogButtonProps = Omit<ComponentProps<typeof Button>, "type" | "onClick"> & {
  dialog: string;
};

/** Works before hydration where the browser knows invoker commands. */
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

// React's types lack these attributes; React passes them on.
function invoker(command: "show-modal" | "close", commandfor: string) {
  return { command, commandfor };
}

function hasInvokers(): boolean {
  return "commandForElement" in HTMLButtonElement.prototype;
}

function dialogOf(id: string): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>(`dialog[id="${CSS.escape(id)}"]`);
}
