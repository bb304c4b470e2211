/**
 * Dispatches `step` on the window for each popstate before the router hears of it; preventing its
 * default keeps it from the router. Call it before the router starts: browsers disagree on
 * capture order on the window.
 */
export function watchPopstate() {
  const announce = (event: PopStateEvent) => {
    const isForRouter = window.dispatchEvent(new Event("step", { cancelable: true }));
    if (!isForRouter) event.stopImmediatePropagation();
  };
  window.addEventListener("popstate", announce, { capture: true });
}
