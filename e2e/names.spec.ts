import { expect, type Page, test } from "./fixtures.ts";
import { widthOf } from "./layout.ts";
import { addPlayer } from "./players.ts";

const WIDTHS = [320, 360, 390, 768, 1280];
const NAMES = [
  ["Maximiliano", "Vanderhoogstraten"],
  ["Bartholomew", "Featherstonehaugh"],
  ["Alexander", "Johansson"],
  ["Anne Marie Charlotte Elisabeth", "von und zu Hohenlohe-Schillingsfürst"],
  ["Wolfeschlegelsteinhausenbergerdorffwelchevoralternw", "Ng"],
  ["Li", "W".repeat(50)],
] as const;

test("names break between words, and inside one only where it is longer than the line", async ({
  page,
  signIn,
  database: { db },
}) => {
  const { who, userId } = await addPlayer(db);
  await signIn(who);
  for (const [first_name, last_name] of NAMES) {
    const profile = db.updateTable("profiles").where("user_id", "=", userId);
    await profile.set({ first_name: first_name.slice(0, 50), last_name }).execute();
    for (const path of ["/profile", "/profile/player-card"]) {
      await page.goto(path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const where = `${first_name} ${last_name} at ${path}, ${width} px`;
        expect.soft(await brokenNames(page), where).toEqual([]);
        expect.soft(await page.evaluate(widthOf), where).toBe(width);
      }
    }
  }
});

/** Parts of a name on several lines that would fit on one, or that are cut. */
function brokenNames(page: Page): Promise<string[]> {
  const names = page.locator("main h1, main article h2 > span:not(.sr-only)");
  return names.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const words: string[] = [];
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode as Text;
        for (const { 0: word, index } of node.data.matchAll(/[^\s-]+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const rects = [...range.getClientRects()];
          const lines = new Set(rects.map(({ top }) => Math.round(top))).size;
          const length = rects.reduce((sum, { width }) => sum + width, 0);
          if (lines > 1 && length <= element.clientWidth) words.push(`broken: ${word}`);
          const { bottom } = element.getBoundingClientRect();
          if (rects.some((rect) => rect.bottom > bottom + 4)) words.push(`cut: ${word}`);
        }
      }
      return words;
    }),
  );
}
