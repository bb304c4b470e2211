import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { watchConnection } from "#app/ui/connection.ts";
import { keepInstallPrompt } from "#app/ui/installed-app.ts";
import { followTranslations } from "#app/ui/translation.ts";

watchPopstate();
followTranslations();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

watchConnection();
keepInstallPrompt();
if (import.meta.env.PROD) whenIdle(() => navigator.serviceWorker?.register("/sw.js").catch(ignore));

function whenIdle(then: () => void) {
  // Safari has no idle callbacks.
  if (window.requestIdleCallback) window.requestIdleCallback(then);
  else setTimeout(then, 2_000);
}

// In a private window, for example, which then has no offline page.
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
