import { expect, type Locator, type Page } from "@playwright/test";

const MOST_STOPS = 90;

/**
 * Presses Tab until that has the focus. At every stop on the way what has the focus is seen: it
 * shows a ring, and nothing lies over it.
 */
export async function tabTo(page: Page, wanted: Locator) {
  const focused = page.locator(":focus");
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate(lookOfFocus)).toBe("shown");
    if ((await focused.and(wanted).count()) > 0) return;
  }
  throw new Error(`Tab does not lead to ${wanted.toString()}`);
}

/** Presses Tab until that has the focus, and then Enter. */
export async function enter(page: Page, wanted: Locator) {
  await tabTo(page, wanted);
  await page.keyboard.press("Enter");
}

/** Runs in the browser. */
function lookOfFocus(): string {
  const focused = document.activeElement;
  // After the last stop Tab leaves the page, and comes in again.
  if (!focused || focused === document.body) return "shown";
  const name = focused.getAttribute("aria-label") ?? focused.textContent?.trim();
  const said = `${focused.tagName} "${name?.slice(0, 40)}"`;
  const marked = [focused, focused.closest("label"), focused.closest("article")].find(hasRing);
  if (!marked) return `no ring: ${said}`;
  const { left, right, top, bottom } = focused.getClientRects()[0]!;
  if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth) return `outside: ${said}`;
  for (const across of [0.05, 0.5, 0.95]) {
    for (const down of [0.05, 0.5, 0.95]) {
      const x = left + (right - left) * across;
      const over = document.elementFromPoint(x, top + (bottom - top) * down);
      if (isCover(over)) return `covered by ${over?.textContent?.slice(0, 40)}: ${said}`;
    }
  }
  return "shown";

  function hasRing(element: Element | null): boolean {
    if (!element) return false;
    // The calendar button within a date has the focus then, and a ring of its own.
    if (element.matches("[type=date]:not(:focus-visible)")) return true;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  }

  /** A bar, a banner or a toast that the focus is not in. */
  function isCover(over: Element | null): boolean {
    for (let at = over; at && !at.contains(focused); at = at.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
    }
    return false;
  }
}
