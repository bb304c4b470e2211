import type { Locator, Page } from "@playwright/test";

/** What a person does with a page on a phone, counted. */
interface Count {
  step: string;
  taps: number;
  keys: number;
  /** How far what is tapped was from what is seen, in screens. */
  screens: number;
  seconds: number;
}

export type Thumb = ReturnType<typeof countTaps>;

/**
 * A touch of a link, button, checkbox or field is one tap, a select two: one opens it, one chooses.
 * Nothing is tapped that holds already what is wanted, and characters are counted apart.
 */
export function countTaps(page: Page) {
  const counts: Count[] = [];
  let now: Count = { step: "", taps: 0, keys: 0, screens: 0, seconds: 0 };

  async function reach(target: Locator, taps: number) {
    await target.waitFor();
    now.taps += taps;
    now.screens += await target.evaluate(screensAway);
  }
  return {
    counts,
    async step(step: string, run: () => Promise<void>) {
      now = { step, taps: 0, keys: 0, screens: 0, seconds: 0 };
      const begun = Date.now();
      await run();
      now.seconds = (Date.now() - begun) / 1_000;
      counts.push(now);
    },
    async tap(target: Locator) {
      await reach(target, 1);
      await target.click();
    },
    async type(field: Locator, text: string) {
      if ((await field.inputValue()) === text) return;
      await reach(field, 1);
      now.keys += text.length;
      await field.fill(text);
    },
    async choose(select: Locator, label: string) {
      if ((await select.evaluate(chosenIn)) === label) return;
      await reach(select, 2);
      await select.selectOption(label);
    },
    /** How long what is read is, from the top of its page. */
    read(screens: number) {
      now.screens += screens;
    },
    /** A line for each step, and their sum. */
    report() {
      const sum = (of: "taps" | "keys" | "screens" | "seconds") =>
        counts.reduce((total, count) => total + count[of], 0);
      const total = { taps: sum("taps"), keys: sum("keys") };
      const all = { step: "all", ...total, screens: sum("screens"), seconds: sum("seconds") };
      return [...counts, all].map(lineOf).join("");
    },
    /** Key of the keyboard on the screen, such as Search. */
    async enter() {
      now.keys += 1;
      await page.keyboard.press("Enter");
    },
  };
}

const lineOf = ({ step, taps, keys, screens, seconds }: Count) =>
  `${step}: ${taps} taps, ${keys} keys, ${screens.toFixed(1)} screens, ${seconds.toFixed(1)} s\n`;

const chosenIn = (select: Element) => (select as HTMLSelectElement).selectedOptions[0]?.label;

/** From what is seen between the bars of the page, in heights of the screen. */
function screensAway(target: Element): number {
  const { top, bottom } = target.getBoundingClientRect();
  if (target.closest("dialog:modal")) return 0;
  const bars = 64;
  const away = Math.max(bars - top, bottom - (innerHeight - bars), 0);
  return target.closest("header, [data-bar]") ? 0 : away / innerHeight;
}
