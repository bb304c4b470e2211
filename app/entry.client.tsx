import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { watchConnection } from "#app/ui/connection.ts";

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

// Dispatches `step` before each popstate; preventing it keeps that from the router. Call it before
// the router starts: browsers disagree on capture order on the window.
function watchPopstate() {
  const announce = (event: PopStateEvent) => {
    const isForRouter = window.dispatchEvent(new Event("step", { cancelable: true }));
    if (!isForRouter) event.stopImmediatePropagation();
  };
  window.addEventListener("popstate", announce, { capture: true });
}
