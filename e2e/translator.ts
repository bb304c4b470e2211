import type { Page } from "@playwright/test";

/**
 * What browsers do when they translate, as recorded from them: Chrome puts a `font` in place of each
 * text, with another for each sentence, and takes the text out; others join adjacent texts in one
 * `font`; Edge and Firefox write the whole sentence into the first of adjacent texts.
 */
export type Way = "each" | "joined" | "in place";
export const WAYS: Way[] = ["each", "joined", "in place"];

/** Ends each translated sentence. Playwright reads texts without it. */
export const MARK = "\u200B";

/** Translates whatever the page shows from now on, in an isolated world like a browser's. */
export async function translatePages(page: Page, way: Way): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const source = `(${translate})(${JSON.stringify(way)}, ${JSON.stringify(MARK)})`;
  const worldName = "translator";
  await session.send("Page.enable");
  await session.send("Page.addScriptToEvaluateOnNewDocument", { source, worldName });
}

// Runs in the browser, from its source text.
function translate(way: Way, mark: string) {
  const SKIPPED = "[translate=no], script, style, noscript, textarea, svg, head, font";
  const isDue = (text: Text) =>
    text.data.trim() !== "" && !text.data.includes(mark) && !text.parentElement?.closest(SKIPPED);
  const wrap = (...content: (Node | string)[]) => {
    const font = document.createElement("font");
    font.style.verticalAlign = "inherit";
    font.append(...content);
    return font;
  };
  const sentences = (text: string) => text.match(/[^.!?]*[.!?]*\s*/g)!.filter(Boolean);
  const translated = (text: string) => sentences(text).map((one) => one + mark);
  const translateRun = (run: Text[]) => {
    const [first] = run;
    const whole = run.map(({ data }) => data).join("");
    if (way === "in place") {
      first!.data = translated(whole).join("");
      for (const text of run.slice(1)) text.remove();
      return;
    }
    for (const [n, text] of run.entries()) {
      const said = way === "each" ? text.data : n === 0 ? whole : "";
      if (said) {
        const words = translated(said).map((one) => wrap(one));
        text.parentNode!.insertBefore(wrap(...words), text);
      }
      text.parentNode!.removeChild(text);
    }
  };
  const scan = () => {
    isAwaited = false;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode())
      if (isDue(walker.currentNode as Text)) texts.push(walker.currentNode as Text);
    // Comments of React's lie between adjacent texts.
    const before = (text: Text) => {
      let node = text.previousSibling;
      while (node?.nodeType === Node.COMMENT_NODE) node = node.previousSibling;
      return node;
    };
    const runs: Text[][] = [];
    for (const text of texts) {
      const last = runs.at(-1)?.at(-1);
      if (last && before(text) === last) runs.at(-1)!.push(text);
      else runs.push([text]);
    }
    runs.forEach(translateRun);
  };
  let isAwaited = false;
  const later = () => {
    if (isAwaited) return;
    isAwaited = true;
    setTimeout(scan);
  };
  const start = () => {
    scan();
    new MutationObserver(later).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  };
  addEventListener("DOMContentLoaded", start);
}

/** The page without what followTranslations does. */
export async function withoutRepair(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const names = ["removeChild", "insertBefore", "appendChild", "nodeValue", "textContent"];
    const before = names.map((name) => Object.getOwnPropertyDescriptor(Node.prototype, name)!);
    Object.assign(window, {
      restore: () =>
        names.forEach((name, n) => Object.defineProperty(Node.prototype, name, before[n]!)),
    });
  });
  return () => page.evaluate(() => (window as unknown as { restore: () => void }).restore());
}
