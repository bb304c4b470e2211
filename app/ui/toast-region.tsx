import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "react-router";
import { classNames } from "./class-names.ts";
import { Cross } from "./icon.tsx";
import { MessageMark, type SentMessage } from "./page-message.tsx";
import { keepClearOf, useToastPosition } from "./toast-position.ts";
import { dismissFailure, dismissToast, type ShownToast, toast, useToast } from "./toast.ts";
import { useIsLater } from "./use-hydrated.ts";

const staysMs = 5_000;

type ToastRegionProps = { sent: SentMessage | null | undefined; label: string | undefined };

/** One toast at a time, in a region that exists from the start, for screen readers. */
export function ToastRegion({ sent, label }: ToastRegionProps) {
  const shown = useToast();
  const dialog = useModalDialog();
  const { pathname } = useLocation();
  const isToast = useIsLater(sent) && !sent?.isLasting;
  // Before the new page's toast, which may be a failure itself.
  useLayoutEffect(dismissFailure, [pathname]);
  useLayoutEffect(() => {
    if (sent && isToast) toast(sent);
  }, [sent, isToast]);
  useEffect(() => {
    // There is only one such region, as long as the page lives.
    document.addEventListener("submit", dismissBefore, true);
    document.addEventListener("click", dismissBeforeDialog, true);
  }, []);
  if (!dialog) return <Region shown={shown} label={label} />;
  // In the header, so that the dialog's last button is still its own.
  const head = dialog.querySelector(":scope > * > header") ?? dialog;
  return createPortal(<Region shown={shown} label={label} isOnTop />, head);
}

/** A new form outdates what the last one said. A button that closes a dialog sends nothing. */
function dismissBefore({ target, submitter }: SubmitEvent) {
  const method =
    submitter?.getAttribute("formmethod") ?? (target as Element).getAttribute("method");
  if (method === "dialog") return;
  keepClearOf(submitter);
  dismissToast();
}

function dismissBeforeDialog({ target }: MouseEvent) {
  if ((target as Element).closest("[aria-haspopup]")) dismissToast();
}

type RegionProps = { shown: ShownToast | null; label: string | undefined; isOnTop?: boolean };

/** Inside an open modal dialog, since nothing outside it can be pressed. */
function Region({ shown, label, isOnTop = false }: RegionProps) {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isOnTop) ref.current?.showPopover?.();
  }, [isOnTop]);
  useToastPosition(ref, shown);
  return (
    <section
      ref={ref}
      popover={isOnTop ? "manual" : undefined}
      aria-label={label}
      className={regionClass}
    >
      {(["polite", "assertive", "off"] as const).map((live) => (
        <ol key={live} aria-live={live} aria-relevant="additions">
          {shown && liveOf(shown) === live && <ToastItem key={shown.id} {...shown} />}
        </ol>
      ))}
    </section>
  );
}

const regionClass =
  "pointer-events-none fixed inset-x-4 top-auto z-50 w-auto overflow-visible bg-transparent " +
  "[view-transition-name:notifications] backdrop:hidden md:right-6 md:left-auto md:w-96 " +
  "bottom-[calc(max(var(--floor,0px),env(safe-area-inset-bottom))+0.5rem)]";

function liveOf({ isSilent, tone }: ShownToast) {
  if (isSilent) return "off";
  return tone === "danger" ? "assertive" : "polite";
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
  const isOneLine = !description && !action;
  const holding = useLeaving(id, action !== undefined);
  return (
    <li
      {...holding}
      className={classNames(
        "pointer-events-auto flex gap-3 rounded-card bg-ink py-3 pr-2 pl-4 text-canvas shadow-card",
        "transition-[opacity,translate] duration-200 starting:translate-y-3 starting:opacity-0",
        isOneLine ? "items-center" : "items-start",
      )}
    >
      <MessageMark tone={tone} className={isOneLine ? "" : "mt-1"} />
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
      <button
        type="button"
        aria-label="Dismiss"
        className="grid size-11 shrink-0 place-items-center rounded-card focus-visible:outline-current"
        onClick={() => dismissToast(id)}
      >
        <Cross className="size-5" />
      </button>
    </li>
  );
}

/** Dismisses it in time, unless it is touched, hovered or focused. Returns the handlers. */
function useLeaving(id: string, stays: boolean) {
  const [isTouched, setTouched] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const held = isTouched || isFocused;
  useEffect(() => {
    if (held || stays) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The time starts when the toast is visible: painted, and in the active tab.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => dismissToast(id), staysMs);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [id, held, stays]);
  return {
    onPointerEnter: () => setTouched(true),
    onPointerLeave: () => setTouched(false),
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
  };
}
