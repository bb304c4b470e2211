import type { Page } from "./fixtures.ts";

/** Resolves once the page's stream is open. */
const streamOf = (page: Page) =>
  page.waitForResponse((response) => response.url().includes("/live?") && response.ok());

export async function openWithStream(page: Page, path: string) {
  const stream = streamOf(page);
  await page.goto(path);
  await stream;
}

/** What the page reads out from now on, and which numbers roll in. */
export async function listen(page: Page) {
  await page.evaluate(() => {
    const before = new Map<Element, string>();
    const [heard, rolled]: string[][] = [[], []];
    const look = () => {
      for (const region of document.querySelectorAll("p[aria-live=polite]")) {
        const text = region.textContent;
        if (text && text !== before.get(region)) heard!.push(text);
        before.set(region, text);
      }
      for (const number of document.querySelectorAll(".roll")) {
        if (!before.has(number)) rolled!.push(number.textContent);
        before.set(number, number.textContent);
      }
    };
    for (const region of document.querySelectorAll("p[aria-live=polite]")) {
      before.set(region, region.textContent);
    }
    Object.assign(window, { listened: { heard, rolled } });
    const changes = { subtree: true, childList: true, characterData: true };
    new MutationObserver(look).observe(document.body, changes);
  });
  type Listened = { listened: Record<"heard" | "rolled", string[]> };
  const read = (what: "heard" | "rolled") => () =>
    page.evaluate((name) => (window as unknown as Listened).listened[name], what);
  return { heard: read("heard"), rolled: read("rolled") };
}

/** A browser under test never hides its tabs. */
export async function setHidden(page: Page, isHidden: boolean) {
  await page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}
