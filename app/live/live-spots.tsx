import { useState } from "react";

interface LiveSpotsProps {
  /** How many are left, as the page shows it. */
  text: string;
  isLive: boolean;
}

/** Read out once when it changes on the open page, also where it does by reading it again. */
export function LiveSpots({ text, isLive }: LiveSpotsProps) {
  const [last, setLast] = useState({ text, isLive, said: "" });
  if (last.text !== text || last.isLive !== isLive) {
    const isNews = last.text !== text && (isLive || last.isLive);
    setLast({ text, isLive, said: isNews ? text : "" });
  }
  return (
    <p aria-live="polite" className="sr-only">
      {last.said}
    </p>
  );
}
