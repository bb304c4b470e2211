import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "react-router";
import { classNames } from "./class-names.ts";
import { Check, Cross } from "./icon.tsx";
import { dismissFailures, dismissToast, type ShownToast, toast, useToasts } from "./toast.ts";
import { useHydrated } from "./use-hydrated.ts";

const staysMs = 8_000;

type ToastRegionProps = {
  /** From the server; its id keeps a second rendering from repeating it. */
  fromServer?: ShownToast | null | undefined;
};

/** One live region from the start, for screen readers; above the header, clear of the Join bar. */
export function ToastRegion({ fromServer }: ToastRegionProps) {
  const hydrated = useHydrated();
  const toasts = useToasts();
  const dialog = useModalDialog();
  const { pathname } = useLocation();
  // Before the new page's toast, which may be a failure itself.
  useLayoutEffect(dismissFailures, [pathname]);
  useLayoutEffect(() => {
    if (fromServer) toast(fromServer);
  }, [fromServer]);
  const shown = hydrated ? toasts : fromServer ? [fromServer] : [];
  if (!dialog) return <Region shown={shown} />;
  // In the header, so that a dialog's last button is still its own.
  const head = dialog.querySelector(":scope > * > header") ?? dialog;
  return createPortal(<Region shown={shown} isOnTop />, head);
}

/** Inside an open modal dialog, since nothing outside it can be pressed. */
function Region({ shown, isOnTop = false }: { shown: ShownToast[]; isOnTop?: boolean }) {
  return (
    <section
      ref={isOnTop ? showOnTop : undefined}
      popover={isOnTop ? "manual" : undefined}
      aria-label="Notifications"
      className="pointer-events-none fixed [view-transition-name:notifications] inset-x-4 top-[max(--spacing(3),env(safe-area-inset-top))] bottom-auto z-50 w-auto overflow-visible bg-transparent backdrop:hidden md:right-6 md:left-auto md:w-96 lg:top-auto lg:bottom-4"
    >
      {(["polite", "assertive"] as const).map((live) => (
        <ol key={live} aria-live={live} aria-relevant="additions">
          {shown
            .filter(({ tone }) => (tone === "danger") === (live === "assertive"))
            .map((item) => (
              <ToastItem key={item.id} {...item} />
            ))}
        </ol>
      ))}
    </section>
  );
}

function showOnTop(region: HTMLElement | null) {
  region?.showPopover?.();
}

function useModalDialog(): Element | null {
  return useSyncExternalStore(onDialogs, topDialog, noDialog);
}

function onDialogs(listener: () => void) {
  const events = ["toggle", "close"];
  for (const event of events) document.addEventListener(event, listener, true);
  return () => {
    for (const event of events) document.removeEventListener(event, listener, true);
  };
}

const topDialog = () => [...document.querySelectorAll("dialog:modal")].at(-1) ?? null;
const noDialog = () => null;

function ToastItem({ id, title, description, tone = "good", action }: ShownToast) {
  const hydrated = useHydrated();
  const isOneLine = !description && !action;
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held || action) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The timer starts when the toast is visible: painted, and in the active tab.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => dismissToast(id), staysMs);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [id, held, action]);
  return (
    <li
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={classNames(
        "pointer-events-auto mb-2 flex gap-3 rounded-card bg-ink py-3 pr-2 pl-4 text-canvas shadow-card",
        "transition-[opacity,translate] duration-200 starting:-translate-y-3 starting:opacity-0",
        "lg:starting:translate-y-3",
        isOneLine ? "items-center" : "items-start",
        !hydrated && "toast-leaves",
      )}
    >
      <span
        className={classNames(
          "grid size-6 shrink-0 place-items-center rounded-pill",
          !isOneLine && "mt-1",
          marks[tone],
        )}
      >
        {tone === "danger" ? <Cross className="size-4" /> : <Check className="size-4" />}
      </span>
      <div className="grow py-1">
        <p className="font-bold">{title}</p>
        {description && <p className="text-sm">{description}</p>}
        {action && (
          <button
            type="button"
            className="mt-1 min-h-11 font-bold underline underline-offset-4 focus-visible:outline-current"
            onClick={() => {
              dismissToast(id);
              action.run();
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      {hydrated && (
        <button
          type="button"
          aria-label="Dismiss"
          className="grid size-11 shrink-0 place-items-center rounded-card focus-visible:outline-current"
          onClick={() => dismissToast(id)}
        >
          <Cross className="size-5" />
        </button>
      )}
    </li>
  );
}

const marks = {
  good: "bg-accent text-on-accent",
  danger: "bg-danger-solid text-on-danger",
  info: "bg-info-soft text-info",
};

/** Shows the text in the page once its toast is gone; until then hidden, so that nothing moves. */
export function ToastBannerRow({ toast: sent }: { toast: ShownToast | null | undefined }) {
  const hydrated = useHydrated();
  const isShown = useToasts().some(({ id }) => id === sent?.id);
  if (!sent) return null;
  const { title, description, tone } = sent;
  const Mark = tone === "danger" ? Cross : Check;
  if (!hydrated || isShown) {
    return (
      <p aria-hidden className={`${row} ${hydrated ? "invisible" : "after-toast"}`}>
        <Mark className="size-5 shrink-0" />
        <span>
          <strong data-said={title} className="text-ink" /> <span data-said={description} />
        </span>
      </p>
    );
  }
  return (
    <p className={`${row} transition-opacity starting:opacity-0`}>
      <Mark className="size-5 shrink-0" />
      <span>
        <strong className="text-ink">{title}</strong> {description}
      </span>
    </p>
  );
}

// Centred on wide screens, where the columns of the pages below begin in different places.
const row =
  "mx-auto flex w-full max-w-6xl items-start gap-2 px-4 py-3 text-sm text-muted md:justify-center";
