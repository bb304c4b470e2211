import { useEffect, useState } from "react";
import { classNames } from "./class-names.ts";

type CountdownProps = { seconds: number; until: string; onEnd?: () => void };

const HOUR_SECONDS = 3_600;

/** What is left, as "14:32 left", by the browser's own clock from now on; "until 01:46" while that is more
 * than an hour. A text beside it says when it ends, so screen readers and browsers without JavaScript miss
 * nothing. */
export function Countdown({ seconds, until, onEnd }: CountdownProps) {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    const end = performance.now() + seconds * 1_000;
    const tick = () => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1_000)));
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [seconds]);
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) onEnd?.();
    // oxlint-disable-next-line react/exhaustive-deps -- once: a caller may make another function each time
  }, [isOver]);
  if (isOver) return null;
  return (
    // Takes its room before it runs, so that the text beside it keeps its lines.
    <span
      aria-hidden
      className={classNames("font-semibold tabular-nums", left === null && "invisible")}
    >
      {(left ?? seconds) > HOUR_SECONDS ? `until ${until}` : `${clockText(left ?? seconds)} left`}
    </span>
  );
}

function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
