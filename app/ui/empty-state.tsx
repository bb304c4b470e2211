import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { PenaltyArea } from "./pitch-lines.tsx";

type EmptyStateProps = {
  /** The sentence that says what is missing. */
  children: ReactNode;
  /** What to do about it, such as a `ButtonLink`. */
  action?: ReactNode;
  className?: string | undefined;
};

/** Stands where a list has nothing to show. */
export function EmptyState({ children, action, className }: EmptyStateProps) {
  return (
    <div
      className={classNames(
        "relative isolate grid place-content-center justify-items-center gap-5 overflow-hidden",
        "rounded-card border border-line bg-surface px-6 pt-12 pb-44 text-center",
        className,
      )}
    >
      <PenaltyArea className="-bottom-px left-1/2 w-80 max-w-full -translate-x-1/2" />
      <p className="max-w-xs text-lg font-semibold text-balance">{children}</p>
      {action}
    </div>
  );
}
