import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

// Of the page that was shown last; outlives the error screens that take the place of everything.
let shownPath: string | null = null;

/**
 * On a client navigation the heading takes the focus and the title is announced, as on a page
 * load; another search or an action's result is no new page.
 */
export function PageFocus() {
  const { pathname } = useLocation();
  const region = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const isNew = shownPath !== null && shownPath !== pathname;
    shownPath = pathname;
    if (!isNew) return;
    if (region.current) region.current.textContent = document.title;
    focusHeading();
  }, [pathname]);
  return <p ref={region} aria-live="polite" className="sr-only" />;
}

/** The same for a page that is replaced on its own address, such as a form by its outcome. */
export function useHeadingFocus(isOther: boolean) {
  const before = useRef(isOther);
  useEffect(() => {
    if (before.current === isOther) return;
    before.current = isOther;
    // After a form the router leaves the page scrolled to where the button was.
    scrollTo(0, 0);
    focusHeading();
  }, [isOther]);
}

/** Unless the page has put the focus into a dialog itself. The scroll position is not ours. */
function focusHeading() {
  if (document.querySelector("dialog:modal")) return;
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/**
 * Takes the focus that a removed button had when `state` changes: else readers and Tab start
 * over. The element needs `tabIndex={-1}`.
 */
export function useKeptFocus<E extends HTMLElement>(state: unknown) {
  const ref = useRef<E>(null);
  const before = useRef(state);
  useEffect(() => {
    if (Object.is(before.current, state)) return;
    before.current = state;
    if (document.activeElement === document.body) ref.current?.focus();
  }, [state]);
  return ref;
}

/** A line at the upper edge while the next page is on its way; what comes at once shows none. */
export function PageProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  // For the eye: outside all landmarks, where readers would not find it. What was pressed says it too.
  return <div aria-hidden className="page-progress" />;
}
