import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type BadgeTone = "green" | "amber" | "red" | "neutral" | "sky" | "lime" | "outline";

type BadgeProps = {
  tone?: BadgeTone | undefined;
  size?: "sm" | "md" | undefined;
  className?: string | false | undefined;
  children: ReactNode;
};

/** The text names the state; the colour only repeats it. */
export function Badge({ tone = "neutral", size = "md", className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        "inline-flex items-center gap-1 rounded-pill border text-sm font-semibold whitespace-nowrap large:whitespace-normal",
        "tabular-nums",
        sizes[size],
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

const sizes = { sm: "min-h-6 px-2", md: "min-h-7 px-3" };

const tones: Record<BadgeTone, string> = {
  green: "border-transparent bg-good-soft text-good",
  amber: "border-transparent bg-warn-soft text-warn",
  red: "border-transparent bg-danger-soft text-danger",
  neutral: "border-transparent bg-sunken text-ink",
  sky: "border-transparent bg-info-soft text-info",
  lime: "border-accent-edge bg-accent text-on-accent",
  outline: "border-accent-edge text-ink",
};
