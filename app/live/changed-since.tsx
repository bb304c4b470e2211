import { useState } from "react";

/** Says what an open page has shown before: the hour and place that its viewer has read. */
export function ChangedSince({ text }: { text: string }) {
  const [opened] = useState(text);
  const hasChanged = text !== opened;
  return (
    <p
      aria-live="polite"
      className={hasChanged ? "font-semibold text-warn tabular-nums" : "sr-only"}
    >
      {hasChanged && `Changed since you opened this page. Before: ${opened}`}
    </p>
  );
}
