import type { Bib } from "#app/platform/schema.ts";
import { bibName } from "./bibs.ts";

/** The same by day and by night, as the bibs are; beside each stands its word. */
const FILLS: Record<Bib, string> = {
  Yellow: "#f4d51f",
  Blue: "#1f6fd6",
  Orange: "#f27a17",
  Green: "#2f9e4f",
  Red: "#d4342c",
  White: "#ffffff",
  Black: "#17191a",
  None: "none",
};

/** A drawing, for backgrounds are not printed. */
export function BibLabel({ bib }: { bib: Bib }) {
  return (
    <span className="inline-flex items-center gap-2">
      <svg aria-hidden viewBox="0 0 20 20" className="size-6 shrink-0 text-edge">
        <path
          d="M5.5 1.5V6c0 2-1 3-2.5 3.6v8.9h14V9.6C15.5 9 14.5 8 14.5 6V1.5h-2.3C12 3.3 11.2 4.3 10 4.3S8 3.3 7.8 1.5Z"
          fill={FILLS[bib]}
          stroke="currentColor"
          strokeWidth="1.2"
          strokeDasharray={bib === "None" ? "2 1.5" : undefined}
        />
      </svg>
      {bibName(bib)}
    </span>
  );
}
