import type { ReactNode } from "react";
import { PenaltyArea } from "./pitch-lines.tsx";

type WholePageProps = {
  title: ReactNode;
  /** A sentence more, where the title does not say it all. */
  children?: ReactNode;
  /** The way on, such as a `ButtonLink`. */
  action?: ReactNode;
};

/**
 * Stands where a page has nothing else to show: its words in the upper half, the penalty area on the
 * goal line below. `data-whole` asks the layout for all the room that there is.
 */
export function WholePage({ title, children, action }: WholePageProps) {
  return (
    <section
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
