import { CARD_PATH } from "./staged-card.ts";
import type { Screen } from "./screen.ts";

/** What everybody may see, whoever is signed in. */
export const PUBLIC_SCREENS: Screen[] = [
  { name: "landing", path: "/" },
  { name: "terms", path: "/terms" },
  { name: "privacy", path: "/privacy" },
  { name: "accessibility", path: "/accessibility" },
  { name: "card-visitor", path: CARD_PATH },
  { name: "card-gone", path: "/card/nobody-shares-this-one" },
  { name: "outbox", path: "/demo/outbox" },
  { name: "not-found", path: "/nowhere" },
];
