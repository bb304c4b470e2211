// Dispatches `step` before each popstate; preventing it keeps that from the router. Call it before
// the router starts: browsers disagree on capture order on the window.
export function watchPopstate() {
  const announce = (event: PopStateEvent) => {
    const isForRouter = window.dispatchEvent(new Event("step", { cancelable: true }));
    if (!isForRouter) event.stopImmediatePropagation();
  };
  window.addEventListener("popstate", announce, { capture: true });
}
