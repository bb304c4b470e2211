import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
} from "react";
import { classNames } from "./class-names.ts";
import { Cross } from "./icon.tsx";
import { useHydrated } from "./use-hydrated.ts";
import { Button } from "./button.tsx";

type DialogProps = {
  id: string;
  title: ReactNode;
  /** Truthy opens, falsy closes; another object, such as a new result, reopens it. */
  open?: boolean | object | null | undefined;
  onClose?: (() => void) | undefined;
  footer?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
};

/** Centred; on phones it rises from the lower edge. */
export function Dialog(props: DialogProps) {
  return <Modal {...props} shape={boxClass} />;
}

export function Drawer(props: DialogProps) {
  return <Modal {...props} shape={drawerClass} />;
}

function Modal({ shape, ...props }: DialogProps & { shape: string }) {
  const { id, title, open, onClose, footer, className, children } = props;
  const { ref, hydrated, openInHtml } = useModal(open);
  return (
    <dialog
      ref={ref}
      id={id}
      open={openInHtml}
      closedby="any"
      aria-labelledby={`${id}-title`}
      onClose={onClose}
      onClick={closeFromOutside}
      className={classNames(modalClass, shape, !hydrated && inPageClass, className)}
    >
      <div className="flex max-h-[inherit] min-h-[inherit] flex-col short:block short:max-h-none">
        <header className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5">
          <h2 id={`${id}-title`} className="text-lg">
            {title}
          </h2>
          <form method="dialog">
            <button
              aria-label="Close"
              className="grid size-11 place-items-center rounded-card hover:bg-sunken"
            >
              <Cross />
            </button>
          </form>
        </header>
        <div className="grow overflow-y-auto in-[:modal]:overscroll-contain p-5 has-[[data-foot]]:pb-0 short:overflow-visible">
          {children}
        </div>
        {footer && <footer className={footerClass}>{footer}</footer>}
      </div>
    </dialog>
  );
}

/** For browsers without `closedby`: a press outside the box closes it. */
function closeFromOutside({ target, currentTarget }: MouseEvent<HTMLDialogElement>) {
  if (target === currentTarget && !("closedBy" in HTMLDialogElement.prototype))
    currentTarget.close();
}

// Without JavaScript an open dialog is part of the page; hydrated, it becomes modal. The attribute
// never changes after the first render: React must not close what the browser has opened.
function useModal(open: DialogProps["open"]) {
  const ref = useRef<HTMLDialogElement>(null);
  const hydrated = useHydrated();
  const [openInHtml] = useState(Boolean(open) && !hydrated);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || open === undefined) return;
    if (!open) return dialog.close();
    if (dialog.matches(":modal")) return;
    dialog.removeAttribute("open");
    dialog.showModal();
  }, [open]);
  return { ref, hydrated, openInHtml };
}

const modalClass =
  "@container w-full max-w-none bg-raised text-ink shadow-card opacity-0 " +
  "transition-[opacity,translate,overlay,display] transition-discrete duration-200 open:opacity-100 " +
  "starting:open:opacity-0 backdrop:opacity-0 backdrop:transition-opacity open:backdrop:opacity-100 " +
  "open:backdrop:starting:opacity-0 max-md:translate-y-8 max-md:open:translate-y-0 " +
  "max-md:starting:open:translate-y-8 max-md:mt-auto max-h-[94dvh] max-md:rounded-t-card " +
  // On a screen too low for header, content and footer, all of it scrolls, but the footer where there
  // is room for it.
  "short:max-h-dvh! short:overflow-y-auto short:scroll-pb-28";

const footerClass =
  "border-t border-line px-5 pt-4 pb-safe short:pt-2 short:bg-raised " +
  "short:[@media(height>=20rem)]:sticky short:[@media(height>=20rem)]:bottom-0 large:static!";

const inPageClass = "[&[open]:not(:modal)]:static [&[open]:not(:modal)]:max-h-none!";

const boxClass = "md:m-auto md:max-w-lg md:rounded-card";

const drawerClass =
  "md:mr-0 md:ml-auto md:h-dvh md:max-h-dvh md:min-h-dvh md:max-w-100 md:translate-x-8 " +
  "md:open:translate-x-0 md:starting:open:translate-x-8";

type DialogButtonProps = Omit<ComponentProps<typeof Button>, "type" | "onClick"> & {
  dialog: string;
};

export function DialogTrigger({ dialog, ...button }: DialogButtonProps) {
  const invoke = invoker("show-modal", dialog, (element) => element?.showModal());
  return <Button {...button} {...invoke} aria-haspopup="dialog" />;
}

export function DialogClose({ dialog, ...button }: DialogButtonProps) {
  return <Button {...button} {...invoker("close", dialog, (element) => element?.close())} />;
}

/** Works before hydration in browsers with invoker commands, which React's types lack. */
function invoker(
  command: "show-modal" | "close",
  commandfor: string,
  run: (dialog: HTMLDialogElement | null) => void,
) {
  const onClick = () => {
    if ("commandForElement" in HTMLButtonElement.prototype) return;
    run(document.querySelector<HTMLDialogElement>(`dialog[id="${CSS.escape(commandfor)}"]`));
  };
  return { command, commandfor, type: "button", onClick } as const;
}
