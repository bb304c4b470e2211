import type { ReactNode } from "react";
import { useRevalidator } from "react-router";
import { Countdown } from "#app/ui/countdown.tsx";

type HeldUntilProps = { until: string; leftSeconds: number; children?: ReactNode };

/** Until when a spot is held, of any kind, and what is left of that. */
export function HeldUntil({ until, leftSeconds, children }: HeldUntilProps) {
  const { revalidate } = useRevalidator();
  return (
    <p className="flex flex-wrap justify-between gap-x-3 font-semibold tabular-nums">
      <span>{children ?? `Spot held until ${until}`}</span>
      <Countdown seconds={leftSeconds} onEnd={() => void revalidate()} />
    </p>
  );
}
