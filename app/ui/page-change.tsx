import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

// Module state, so that it survives the error screens, which replace everything.
let shownPath: string | null = null;

/** After a client navigation the heading takes focus and the title is read, as after a page load. */
export function PageFocus() {
  const { pathname, state } = useLocation();
  const region = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const isNew = shownPath !== null && shownPath !== pathname;
    shownPath = pathname;
    if (!isNew) return;
    if (region.current) region.current.textContent = document.title;
    focusHeading(state?.focus);
  }, [pathname, state]);
  return <p ref={region} aria-live="polite" className="sr-only" />;
}

/** For a page that is replaced at its own address, such as a form by its result. */
export function useHeadingFocus(isOther: boolean) {
  const before = useRef(isOther);
  useEffect(() => {
    if (before.current === isOther) return;
    before.current = isOther;
    // After a form the router keeps the scroll position of its button.
    scrollTo(0, 0);
    focusHeading();
  }, [isOther]);
}

/** Unless the page has moved focus into a dialog, or the link's state names another element. */
function focusHeading(selector = "main h1") {
  if (document.querySelector("dialog:modal")) return;
  const heading = document.querySelector<HTMLElement>(selector);
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

export function useNextPath(): string {
  const { pathname } = useLocation();
  const { state, location } = useNavigation();
  return state === "loading" ? location.pathname : pathname;
}

export function PageProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  // Only visual, so outside all landmarks.
  return <div aria-hidden className="page-progress" />;
}
