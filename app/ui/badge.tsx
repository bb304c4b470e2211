import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type BadgeTone = "green" | "amber" | "red" | "neutral" | "sky" | "lime";

type BadgeProps = {
  tone?: BadgeTone | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** The text names the state; the colour only repeats it. */
export function Badge({ tone = "neutral", className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        "inline-flex min-h-7 items-center gap-1 rounded-pill border border-transparent px-3 text-sm",
        "font-semibold whitespace-nowrap tabular-nums",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

const tones: Record<BadgeTone, string> = {
  green: "bg-good-soft text-good",
  amber: "bg-warn-soft text-warn",
  red: "bg-danger-soft text-danger",
  neutral: "bg-sunken text-ink",
  sky: "bg-info-soft text-info",
  lime: "border-accent-edge bg-accent text-on-accent",
};
