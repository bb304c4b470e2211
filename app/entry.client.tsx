import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { watchConnection } from "./ui/connection.ts";

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

watchConnection();
if (import.meta.env.PROD)
  whenLoaded(() => navigator.serviceWorker?.register("/sw.js").catch(ignore));

/** Once the page has all it needs and the browser has nothing to do. */
function whenLoaded(then: () => void) {
  // Safari knows no idle callbacks.
  const whenIdle =
    window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 2_000));
  if (document.readyState === "complete") whenIdle(then);
  else window.addEventListener("load", () => whenIdle(then), { once: true });
}

// Such as in a private window; there is no offline page then.
function ignore() {}
