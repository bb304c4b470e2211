import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { watchConnection } from "#app/ui/connection.ts";
import { watchPopstate } from "#app/ui/popstate.ts";

watchPopstate();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

watchConnection();
if (import.meta.env.PROD) whenIdle(() => navigator.serviceWorker?.register("/sw.js").catch(ignore));

/** Once the browser has nothing to do; the page has been loaded before this script. */
function whenIdle(then: () => void) {
  // Safari knows no idle callbacks.
  if (window.requestIdleCallback) window.requestIdleCallback(then);
  else setTimeout(then, 2_000);
}

// Such as in a private window; there is no offline page then.
function ignore() {}
