import { Check, Cross } from "./icon.tsx";
import { type ShownToast, useToasts } from "./toast.ts";
import { useHydrated } from "./use-hydrated.ts";

/**
 * What the server left for this page stays on it when its toast is gone. It was heard already; its
 * room is kept, so that nothing moves under the finger when it comes. As text it stands there once.
 */
export function LastingMessage({ flash }: { flash: ShownToast | null | undefined }) {
  const hydrated = useHydrated();
  const isShown = useToasts().some(({ id }) => id === flash?.id);
  if (!flash) return null;
  const { title, description = "" } = flash;
  if (!hydrated || isShown) {
    return (
      <p aria-hidden className={row}>
        <span className="size-5 shrink-0" />
        <span
          data-said={`${title} ${description}`}
          className="invisible before:content-[attr(data-said)]"
        />
      </p>
    );
  }
  const Mark = flash.tone === "danger" ? Cross : Check;
  return (
    <p className={`${row} transition-opacity starting:opacity-0`}>
      <Mark className="size-5 shrink-0" />
      <span>
        <strong className="text-ink">{title}</strong> {description}
      </span>
    </p>
  );
}

const row = "mx-auto flex w-full max-w-6xl items-start gap-2 px-4 pt-3 text-sm text-muted";
