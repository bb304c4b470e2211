import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { PenaltyArea } from "./pitch-lines.tsx";

type EmptyStateProps = {
  children: ReactNode;
  action?: ReactNode;
  className?: string | undefined;
  /** Without the drawing, where something else follows. */
  isShort?: boolean;
};

export function EmptyState({ children, action, className, isShort }: EmptyStateProps) {
  return (
    <div
      className={classNames(
        "relative isolate grid place-content-center justify-items-center gap-5 overflow-hidden",
        "rounded-card border border-line bg-surface px-6 text-center",
        isShort ? "py-8" : "pt-12 pb-44",
        className,
      )}
    >
      {!isShort && <PenaltyArea className="-bottom-px left-1/2 w-80 max-w-full -translate-x-1/2" />}
      <p className="max-w-xs text-lg font-semibold text-balance">{children}</p>
      {action}
    </div>
  );
}

type WholePageProps = {
  title: ReactNode;
  isAlert?: boolean;
  children?: ReactNode;
  action?: ReactNode;
};

/** For a page with nothing else to show; `data-whole` makes the layout give it all the space. */
export function WholePage({ title, isAlert, children, action }: WholePageProps) {
  return (
    <section
      role={isAlert ? "alert" : undefined}
      data-whole
      className="relative isolate grid min-h-112 grow content-center justify-items-center gap-3 overflow-hidden px-4 pt-8 pb-56 text-center md:min-h-128 md:pb-76"
    >
      <PenaltyArea className="-bottom-px left-1/2 w-120 max-w-[120%] -translate-x-1/2 md:w-160" />
      <h1 className="max-w-xl text-xl md:text-2xl">{title}</h1>
      {children && <p className="max-w-md text-lg text-muted">{children}</p>}
      {action && <div className="mt-3">{action}</div>}
    </section>
  );
}
