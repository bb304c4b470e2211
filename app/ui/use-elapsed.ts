import { useEffect, useState } from "react";

/** Whether these seconds are over, by the browser's clock from the first render on. */
export function useElapsed(seconds: number): boolean {
  const [isElapsed, setElapsed] = useState(false);
  useEffect(() => {
    if (seconds <= 0 || seconds === Infinity) return;
    const timer = setTimeout(() => setElapsed(true), seconds * 1_000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return isElapsed || seconds <= 0;
}
