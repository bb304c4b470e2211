import { useState } from "react";

/** Says what an open page shows now and has shown before, where its viewer may have read the one and
 * act on the other: the hour and the address of a game. */
export function ChangedSince({ facts }: { facts: string[] }) {
  const [opened] = useState(facts);
  const isOther = (_: string, at: number) => facts[at] !== opened[at];
  const [now, before] = [facts, opened].map((each) => each.filter(isOther).join(", "));
  return (
    <p aria-live="polite" className={now ? "mb-2 font-semibold text-warn tabular-nums" : "sr-only"}>
      {now && `Changed since you opened this page: now ${now}, before ${before}.`}
    </p>
  );
}
