import { useState } from "react";

interface LiveSpotsProps {
  text: string;
  isLive: boolean;
}

/** Read out once when it changes on the open page, also where it does by reading it again. */
export function LiveSpots({ text, isLive }: LiveSpotsProps) {
  const [last, setLast] = useState({ text, isLive, announced: "" });
  if (last.text !== text || last.isLive !== isLive) {
    const hasChanged = last.text !== text && (isLive || last.isLive);
    setLast({ text, isLive, announced: hasChanged ? text : "" });
  }
  return (
    <p aria-live="polite" className="sr-only">
      {last.announced}
    </p>
  );
}
