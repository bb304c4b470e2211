import { useEffect, useLayoutEffect, useState } from "react";
import { classNames } from "./class-names.ts";
import { Check, Cross } from "./icon.tsx";
import { dismissToast, type ShownToast, toast, useToasts } from "./toast.ts";
import { useHydrated } from "./use-hydrated.ts";

const staysMs = 8_000;

type ToastRegionProps = {
  /** What the server left for this page; its id keeps a repeated rendering from repeating it. */
  flash?: ShownToast | null | undefined;
};

/**
 * Stands in the document from the start, once, so that screen readers hear what comes into it. On
 * phones over the header, for the lower edge belongs to the buttons under the thumb.
 */
export function ToastRegion({ flash }: ToastRegionProps) {
  const hydrated = useHydrated();
  const toasts = useToasts();
  useLayoutEffect(() => {
    if (flash) toast(flash);
  }, [flash]);
  const shown = hydrated ? toasts : flash ? [flash] : [];
  return (
    <section
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-4 top-[max(--spacing(3),env(safe-area-inset-top))] z-50 md:top-auto md:right-6 md:bottom-6 md:left-auto md:w-96"
    >
      <ol aria-live="polite" aria-relevant="additions" className="grid gap-2">
        {shown.map((item) => (
          <ToastItem key={item.id} {...item} />
        ))}
      </ol>
    </section>
  );
}

function ToastItem({ id, title, description, tone = "good" }: ShownToast) {
  const hydrated = useHydrated();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissToast(id), staysMs);
    return () => clearTimeout(timer);
  }, [id, held]);
  return (
    <li
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={classNames(
        "pointer-events-auto flex items-start gap-3 rounded-card bg-ink py-3 pr-2 pl-4 text-canvas shadow-card",
        "transition-[opacity,translate] duration-200 starting:-translate-y-3 starting:opacity-0",
        "md:starting:translate-y-3",
        !hydrated && "toast-leaves",
      )}
    >
      <span
        className={classNames(
          "mt-1 grid size-6 shrink-0 place-items-center rounded-pill",
          marks[tone],
        )}
      >
        {tone === "danger" ? <Cross className="size-4" /> : <Check className="size-4" />}
      </span>
      <div className="grow py-1">
        <p className="font-bold">{title}</p>
        {description && <p className="text-sm">{description}</p>}
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
