import type { ReactNode } from "react";
import { useRevalidator } from "react-router";
import { Countdown } from "#app/ui/countdown.tsx";

type HeldUntilProps = {
  until: string;
  leftSeconds: number;
  children?: ReactNode;
  note?: ReactNode;
};

/** A spot that is held, of any kind, and what is left of that: until when is for who sees no countdown. */
export function HeldUntil({
  until,
  leftSeconds,
  note,
  children = "Spot held for you",
}: HeldUntilProps) {
  const { revalidate } = useRevalidator();
  const text = ` until ${until}`;
  return (
    <p className="flex flex-wrap justify-between gap-x-3 font-semibold tabular-nums">
      <span>
        {children}
        <span className="sr-only">{text}</span>
        <noscript>
          <span aria-hidden>{text}</span>
        </noscript>
        {note}
      </span>
      <Countdown seconds={leftSeconds} until={until} onEnd={() => void revalidate()} />
    </p>
  );
}
