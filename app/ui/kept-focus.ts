// Runs in the browser, from its source text (entry.server.tsx). When what had the focus is gone, a
// place near it takes it: what is around it and may have the focus, the heading of its section, or
// that of the page.
export function keepFocus() {
  let path: Element[] = [];
  const pathOf = (element: Element | null): Element[] =>
    element ? [element, ...pathOf(element.parentElement)] : [];
  const isShown = (element: Element) =>
    element.getClientRects().length > 0 && !element.matches(":disabled");
  const look = () => {
    const { activeElement, body } = document;
    if (activeElement !== body) return void (path = pathOf(activeElement));
    const near = path.find(isShown);
    // A press beside all controls ends the focus too, and leaves the control as it was.
    if (near && near !== path[0]) placeNear(near).focus({ preventScroll: true });
    path = [];
  };
  const placeNear = (element: Element) => {
    const home = element.closest('[tabindex="-1"]:not(main), section, dialog');
    const find = (selector: string) => home?.querySelector(selector);
    const inside = find(':scope > [tabindex="-1"]') ?? find("h2") ?? document.querySelector("h1");
    const place = (home?.matches("[tabindex]") ? home : inside) as HTMLElement;
    place.tabIndex = -1;
    return place;
  };
  // After the effects of the page, which may lead elsewhere.
  const lookSoon = () => void requestAnimationFrame(() => setTimeout(look));
  addEventListener("focusin", look);
  addEventListener("focusout", lookSoon);
  const changes = { subtree: true, childList: true, attributeFilter: ["open", "disabled"] };
  new MutationObserver(lookSoon).observe(document, changes);
}
