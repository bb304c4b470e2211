import type { Page } from "@playwright/test";

/** Scripts come after a page has been loaded, the router after all others; a page of text has none. */
export async function whenStarted(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const script = document.querySelector('script[type="text/later"], script[type="module"]');
    return !script || "__reactRouterDataRouter" in window;
  });
}
