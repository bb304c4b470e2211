import type { Locator } from "@playwright/test";
import sharp from "sharp";
import { tabTo } from "./keyboard.ts";
import { expect, type Page, test } from "./fixtures.ts";
import { runningMotions } from "./layout.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test(`a photo travels to its page: ${reducedMotion}`, async ({ page, signIn }) => {
    await page.emulateMedia({ reducedMotion });
    await page.addInitScript(recordTransitions);
    await signIn("player");
    await page.goto("/events");
    await page.waitForLoadState("networkidle");
    await page
      .getByRole("listitem")
      .getByRole("link", { name: /spots left/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/events\/[\w-]{36}$/);
    await expect.poll(() => transitions(page)).toHaveLength(1);
    const [longest = NaN] = await transitions(page);
    if (reducedMotion === "reduce") expect(longest).toBe(0);
    else expect(longest).toBeGreaterThan(100);
  });
}

test("the bars stand still while pages change", async ({ page, signIn }) => {
  await page.addInitScript(recordTransitions);
  await signIn("player");
  await page.goto("/events");
  await page.waitForLoadState("networkidle");
  await page.getByRole("main").locator("a[href^='/events/']").first().click();
  await expect.poll(() => transitions(page)).toHaveLength(1);
  const moved = await page.evaluate(() => (window as unknown as { moved: string[] }).moved);
  expect(moved).toContain("::view-transition-new(root)");
  expect(moved.filter((part) => /(old|new)\((site-header|bottom-bar)\)/.test(part))).toEqual([]);
});

test("partners that pass by are paused by keyboard", async ({ page }) => {
  await page.goto("/");
  const pause = page.getByRole("checkbox", { name: "Pause" });
  expect(await page.evaluate(runningMotions)).toHaveLength(2);
  await tabTo(page, pause);
  expect(await page.evaluate(runningMotions)).toHaveLength(2);
  await page.keyboard.press("Space");
  expect(await page.evaluate(runningMotions)).toEqual([]);
  await page.keyboard.press("Space");
  expect(await page.evaluate(runningMotions)).toHaveLength(2);
});

test("forced colours still show what is chosen", async ({ page, signIn }) => {
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await signIn("player");
  await page.goto("/wallet");
  await page.getByRole("button", { name: "Buy credits" }).click();
  const tab = (name: string) => groundOf(page.getByRole("tab", { name }));
  expect(await tab("Monthly Subscription")).not.toEqual(await tab("Pay Per Game"));
  await page.goto("/venues");
  const bar = page.getByRole("navigation", { name: "Main" });
  const entry = (name: string) => groundOf(bar.getByRole("link", { name, exact: true }));
  expect(await entry("Venues")).not.toEqual(await entry("Games"));
});

/** The colour that is drawn near its corner: a style that is asked says what it is without force. */
async function groundOf(element: Locator): Promise<number[]> {
  const { data } = await sharp(await element.screenshot())
    .extract({ left: 8, top: 8, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
}

/** The longest of what moved in each view transition, in milliseconds. */
function transitions(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { transitions: number[] }).transitions);
}

/** Runs in the browser before the page. */
function recordTransitions() {
  const transitions: number[] = [];
  const moved: (string | null | undefined)[] = [];
  Object.assign(window, { transitions, moved });
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (options) => {
    const transition = start(options);
    void transition.ready.then(() => {
      const animations = document.getAnimations();
      const times = animations.map(({ effect }) => Number(effect?.getComputedTiming().duration));
      moved.push(...animations.map(({ effect }) => (effect as KeyframeEffect).pseudoElement));
      transitions.push(Math.max(0, ...times));
    });
    return transition;
  };
}
