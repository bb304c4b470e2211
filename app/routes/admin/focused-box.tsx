import { type ReactNode, useEffect, useRef } from "react";

interface FocusedBoxProps {
  /** The answer that it is about: another one takes the focus again. */
  of: unknown;
  /** Makes it a group of this name. */
  label?: string;
  children: ReactNode;
}

/** Over a long form whose button stands at its end: the reader is brought to what came of it. */
export function FocusedBox({ of, label, children }: FocusedBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [of]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role={label && "group"}
      aria-label={label}
      className="scroll-mt-20 rounded-card"
    >
      {children}
    </div>
  );
}
