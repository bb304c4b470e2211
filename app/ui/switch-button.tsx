import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

type SwitchButtonProps = { label: string; isOn: boolean; children: ReactNode };

/** A submit button with the role of a switch, so that it works without JavaScript. */
export function SwitchButton({ label, isOn, children }: SwitchButtonProps) {
  return (
    <button
      type="submit"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      className="group flex min-h-11 items-center gap-2 rounded-card px-1 font-semibold"
    >
      <span
        aria-hidden
        className={classNames(
          "flex h-7 w-12 items-center rounded-pill border p-0.5 group-hover:border-ink",
          isOn ? "justify-end border-ink bg-ink" : "border-edge bg-raised",
        )}
      >
        <span className={classNames("size-5 rounded-pill", isOn ? "bg-canvas" : "bg-edge")} />
      </span>
      {children}
    </button>
  );
}
