import type { Browser, Page } from "@playwright/test";
import { whenStarted } from "./fixtures.ts";

/** What a page of the chat notes of itself: when each message was first on its screen. */
interface Noting {
  shownAt: Record<string, number>;
}

interface Place {
  url: string;
  path: string;
  cookie: string;
}

/** A browser in which a chat is open. */
export async function openScreen(browser: Browser, { url, path, cookie }: Place): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: "block" });
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  const stream = page.waitForResponse((response) => response.url().includes("/live?"));
  await page.goto(path);
  await whenStarted(page);
  await stream;
  await page.evaluate(noteShown);
  return page;
}

function noteShown() {
  const shownAt: Noting["shownAt"] = {};
  Object.assign(window, { shownAt });
  const look = () => {
    const now = Date.now();
    for (const message of [...document.querySelectorAll("[id^=message-]")].slice(-100)) {
      const { top, bottom } = message.getBoundingClientRect();
      if (bottom > 0 && top < innerHeight) shownAt[message.id.slice("message-".length)] ??= now;
    }
  };
  // Once the page has scrolled, and is about to be drawn.
  const observer = new MutationObserver(() => requestAnimationFrame(look));
  observer.observe(document.body, { childList: true, subtree: true });
}

export const shownOn = (page: Page) => page.evaluate(() => (window as unknown as Noting).shownAt);

export const lastOn = (page: Page, count: number) =>
  page.evaluate(
    (most) =>
      [...document.querySelectorAll("[id^=message-]")]
        .slice(-most)
        .map(({ id }) => id.slice("message-".length)),
    count,
  );
