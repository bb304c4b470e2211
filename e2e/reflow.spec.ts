import { expect, test } from "./fixtures.ts";
import { findGames } from "./games.ts";
import {
  bareTargets,
  barShare,
  cutTexts,
  outOfReach,
  overTheEdge,
  runningMotions,
  WIDER_TEXT,
  widthOf,
} from "./layout.ts";
import { openPlace, PLACES } from "./places.ts";

const PHONE = { width: 390, height: 844 };
const NARROW = { width: 320, height: 640 };
// 1280 × 1024 at 400 %.
const ZOOMED = { width: 320, height: 256 };
/** Bars that stay in their place may take a third of a small screen. */
const MOST_BARS = 1 / 3;
// LONG=1 looks at every place, else at every second one: the axe matrix measures all at 320.
const STEP = process.env.LONG ? 1 : 2;

for (const [who, places] of Object.entries(PLACES)) {
  test(`${who}: it fits small screens, wide text and thumbs, and stands still`, async ({
    page,
    signIn,
    database,
  }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    if (who !== "visitor") await signIn(who);
    const games = await findGames(database.db);
    for (const place of places.filter((_, n) => n % STEP === 0)) {
      await page.setViewportSize(PHONE);
      const where = await openPlace(page, place, games);
      expect.soft(await page.evaluate(runningMotions), `motion in ${where}`).toEqual([]);
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
    }
  });
}
