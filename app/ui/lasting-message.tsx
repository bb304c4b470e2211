import { classNames } from "./class-names.ts";
import { Check, Cross } from "./icon.tsx";
import { type ShownToast, useToasts } from "./toast.ts";
import { useHydrated } from "./use-hydrated.ts";

/**
 * What the server left for this page stays on it when its toast is gone. It was heard already; its
 * room is kept, so that nothing moves under the finger when it comes.
 */
export function LastingMessage({ flash }: { flash: ShownToast | null | undefined }) {
  const hydrated = useHydrated();
  const isShown = useToasts().some(({ id }) => id === flash?.id);
  if (!flash) return null;
  const Mark = flash.tone === "danger" ? Cross : Check;
  return (
    <p
      className={classNames(
        "mx-auto flex w-full max-w-6xl items-start gap-2 px-4 pt-3 text-sm text-muted transition-opacity",
        (!hydrated || isShown) && "invisible opacity-0",
      )}
    >
      <Mark className="size-5" />
      <span>
        <strong className="text-ink">{flash.title}</strong> {flash.description}
      </span>
    </p>
  );
}
