import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { Check } from "./icon.tsx";

/** A checkbox, or with `type="radio"` one of several, in a pill that shows a tick when chosen. */
export function Chip({ className, children, ...input }: ComponentProps<"input">) {
  return (
    <label
      className={classNames(
        "relative inline-flex min-h-11 items-center gap-2 rounded-pill border border-edge bg-raised px-4 wrap-anywhere",
        "font-semibold select-none hover:border-ink has-checked:border-ink has-checked:bg-ink",
        "has-checked:text-canvas has-focus-visible:outline-3 has-focus-visible:outline-offset-2",
        "has-focus-visible:outline-focus has-disabled:text-muted",
        className,
      )}
    >
      {/* Covers the pill invisibly and takes the press itself. */}
      <input
        type="checkbox"
        {...input}
        className="peer absolute inset-0 size-full cursor-pointer opacity-0"
      />
      <Check className="hidden size-4 peer-checked:block" />
      {children}
    </label>
  );
}
