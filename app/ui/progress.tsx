import { type ReactNode, useId } from "react";

type ProgressProps = {
  label: ReactNode;
  text: string;
  value: number;
  max: number;
  className?: string | undefined;
};

export function Progress({ label, text, value, max, className }: ProgressProps) {
  const id = useId();
  return (
    <div className={className}>
      <div className="mb-2 flex items-baseline justify-between gap-4 text-sm tabular-nums">
        <label htmlFor={id} className="cursor-auto font-semibold">
          {label}
        </label>
        <span id={`${id}-text`} className="text-muted">
          {text}
        </span>
      </div>
      <progress id={id} value={value} max={max} aria-valuetext={text} className="meter" />
    </div>
  );
}
