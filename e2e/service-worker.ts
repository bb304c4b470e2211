import { expect, type Page } from "@playwright/test";

/** Once the page has hydrated and its worker holds the offline page. */
export async function whenWorkerIsReady(page: Page) {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await expect.poll(() => cachedFiles(page)).toContain("/offline");
}

export function cachedFiles(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const files: string[] = [];
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      files.push(...requests.map(({ url }) => new URL(url).pathname));
    }
    return files;
  });
}
