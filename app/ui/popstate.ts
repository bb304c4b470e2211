/**
 * Each step in the history is a `step` of the window before the router hears of it. What is a step
 * within its page prevents its default, and the router does not hear of it. Called before the
 * router begins to listen: browsers do not agree that capturing comes first on the window.
 */
export function watchSteps() {
  const announce = (event: PopStateEvent) => {
    const isForRouter = window.dispatchEvent(new Event("step", { cancelable: true }));
    if (!isForRouter) event.stopImmediatePropagation();
  };
  window.addEventListener("popstate", announce, { capture: true });
}
