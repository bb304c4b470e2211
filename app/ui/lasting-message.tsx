import { Check, Cross } from "./icon.tsx";
import { type ShownToast, useToasts } from "./toast.ts";
import { useHydrated } from "./use-hydrated.ts";

/**
 * What the server left for this page stays on it when its toast is gone. It was heard already; its
 * room is kept, so that nothing moves under the finger when it comes. Until then its words are no
 * text of the page, which has them in the toast. Without JavaScript they appear by themselves.
 */
export function LastingMessage({ flash }: { flash: ShownToast | null | undefined }) {
  const hydrated = useHydrated();
  const isShown = useToasts().some(({ id }) => id === flash?.id);
  if (!flash) return null;
  const { title, description, tone } = flash;
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

const row = "mx-auto flex w-full max-w-6xl items-start gap-2 px-4 py-3 text-sm text-muted";
