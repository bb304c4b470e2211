import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { LINK_WORDS } from "./link-words.ts";
import type { PackWords } from "./pack-words.server.ts";

/** Whether a pack can be bought. */
export function LinkBadge({ state }: { state: PackWords["link"] }) {
  return <Badge tone={TONES[state]}>{LINK_WORDS[state]}</Badge>;
}

const TONES: Record<PackWords["link"], BadgeTone> = {
  ready: "green",
  sandbox: "sky",
  missing: "red",
  elsewhere: "red",
  unmatched: "amber",
};
