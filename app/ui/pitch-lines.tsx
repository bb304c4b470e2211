import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

type LinesProps = {
  /** Place, size and colour; the parent is `relative overflow-hidden isolate`. */
  className?: string | undefined;
};

/** The quarter circle and flag post of the lower left corner; turn it with `rotate-90` and so on. */
export const CornerArc = lines(
  "0 0 160 160",
  <>
    <path d="M4 0v156h156M4 92a64 64 0 0 1 64 64" />
    <circle cx="4" cy="156" r="3" fill="currentColor" />
  </>,
);

export const CentreCircle = lines(
  "0 0 240 240",
  <>
    <circle cx="120" cy="120" r="84" />
    <path d="M120 0v240" />
    <circle cx="120" cy="120" r="3" fill="currentColor" />
  </>,
);

export const PenaltyArea = lines(
  "0 0 400 200",
  <>
    <path d="M40 200V58h320v142M125 200v-54h150v54M150 58a62 62 0 0 1 100 0" />
    <circle cx="200" cy="98" r="2.5" fill="currentColor" />
  </>,
);

function lines(box: string, drawing: ReactNode) {
  return function Lines({ className }: LinesProps) {
    return (
      <svg
        aria-hidden
        viewBox={box}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        className={classNames("pitch-lines pointer-events-none absolute -z-10", className)}
      >
        {drawing}
      </svg>
    );
  };
}
