import { expect, type Page } from "@playwright/test";
import {
  bareTargets,
  barShare,
  cutTexts,
  LARGE_TEXT,
  outOfReach,
  overTheEdge,
  WIDER_TEXT,
  widthOf,
} from "./layout.ts";

const PHONE = { width: 390, height: 844 };
// No page scrolls sideways at this width.
const NARROW = { width: 320, height: 640 };
// 1280 × 1024 at 400 %.
const ZOOMED = { width: 320, height: 256 };
/** Bars that stay in their place may take a third of a small screen. */
const MOST_BARS = 1 / 3;

/** Expects what a page shows to fit small screens, wide and large text, and thumbs. Leaves it with large text. */
export async function expectToFit(page: Page, where: string) {
  await page.setViewportSize(PHONE);
  expect.soft(await page.evaluate(bareTargets), `targets of ${where}`).toEqual([]);
  await page.setViewportSize(NARROW);
  expect.soft(await page.evaluate(widthOf), `width of ${where}`).toBe(NARROW.width);
  expect.soft(await page.evaluate(overTheEdge), `over the edge of ${where}`).toEqual([]);
  await page.setViewportSize(ZOOMED);
  expect.soft(await page.evaluate(widthOf), `width of ${where}, zoomed`).toBe(ZOOMED.width);
  expect.soft(await page.evaluate(barShare), `bars of ${where}`).toBeLessThan(MOST_BARS);
  expect.soft(await page.evaluate(outOfReach), `out of reach: ${where}`).toEqual([]);
  await page.setViewportSize(PHONE);
  const cut = await page.evaluate(cutTexts);
  await page.evaluate(WIDER_TEXT);
  expect.soft(await page.evaluate(cutTexts), `cut in ${where}`).toEqual(cut);
  await page.evaluate(() => void (document.adoptedStyleSheets = []));
  await page.evaluate(LARGE_TEXT);
  expect.soft(await page.evaluate(widthOf), `width of ${where}, large text`).toBe(PHONE.width);
}
