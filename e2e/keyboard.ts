import { expect, type Locator, type Page } from "@playwright/test";

const MOST_STOPS = 90;

/**
 * Presses Tab until that has the focus. At every stop on the way what has the focus is seen: it
 * shows a ring, and nothing lies over it.
 */
export async function tabTo(page: Page, wanted: Locator) {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    if ((await lookUntilShown(wanted)).isWanted) return;
  }
  throw new Error(`Tab does not lead to ${wanted.toString()}`);
}

/** What has the focus may still have to be drawn or scrolled to. */
async function lookUntilShown(wanted: Locator): Promise<Focus> {
  const look = () => wanted.evaluateAll(lookAtFocus);
  let focus = await look();
  if (focus.fault) {
    await expect.poll(async () => (focus = await look()).fault).toBeNull();
  }
  return focus;
}

/** Presses Tab until that has the focus, and then Enter. */
export async function enter(page: Page, wanted: Locator) {
  await tabTo(page, wanted);
  await page.keyboard.press("Enter");
}

interface Focus {
  isWanted: boolean;
  /** Why what has the focus is not seen. */
  fault: string | null;
}

/** Runs in the browser: both are looked at in one go, for a way by keyboard has hundreds of stops. */
function lookAtFocus(wanted: Element[]): Focus {
  const focused = document.activeElement;
  // After the last stop Tab leaves the page, and comes in again.
  if (!focused || focused === document.body) return { isWanted: false, fault: null };
  return { isWanted: wanted.includes(focused), fault: faultOf(focused) };

  function faultOf(focused: Element): string | null {
    const name = focused.getAttribute("aria-label") ?? focused.textContent?.trim();
    const said = `${focused.tagName} "${name?.slice(0, 40)}"`;
    const marked = [focused, focused.closest("label"), focused.closest("article")].find(hasRing);
    if (!marked) return `no ring: ${said}`;
    const { left, right, top, bottom } = focused.getClientRects()[0]!;
    if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth)
      return `outside: ${said}`;
    for (const across of [0.05, 0.5, 0.95]) {
      for (const down of [0.05, 0.5, 0.95]) {
        const x = left + (right - left) * across;
        const over = document.elementFromPoint(x, top + (bottom - top) * down);
        if (isCover(over)) return `covered by ${over?.textContent?.slice(0, 40)}: ${said}`;
      }
    }
    return null;
  }

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
