import { lazy } from "react";

// Few are waiting as they look. The server waits for it, so it works without JavaScript.
const load = () => import("./entry.tsx");
const NOTHING = { default: () => null };

export const OwnEntry = lazy(() => load().catch(() => NOTHING));
export const EntryDetails = lazy(() =>
  load().then(
    (module) => ({ default: module.EntryDetails }),
    () => NOTHING,
  ),
);
