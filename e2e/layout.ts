/* Measurements in the browser: each function is sent there whole and must be self-contained. */

/** Width of the page, and how much more the widest thing that scrolls in a dialog wants. */
export function widthOf(): number {
  const page = document.documentElement;
  const inDialogs = [...document.querySelectorAll("dialog:modal, dialog:modal *")];
  const wanted = inDialogs
    .filter((box) => /auto|scroll/.test(getComputedStyle(box).overflowX))
    .map((box) => box.scrollWidth - box.clientWidth);
  return page.scrollWidth + Math.max(0, ...wanted);
}

/** What can be pressed and is smaller than a thumb, but for links in running text. */
export function bareTargets(): string[] {
  const LEAST = 44;
  const modal = document.querySelector("dialog:modal, .yarl__portal");
  const scope = modal ?? document;
  const found = scope.querySelectorAll<HTMLElement>(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, " +
      "[role=button], [role=tab], [role=option], [role=link], [role=checkbox], [role=radio], [role=slider]",
  );
  const small: string[] = [];
  for (const element of found) {
    const isInert = element.closest("[inert], [aria-hidden=true]");
    if (isInert || !element.checkVisibility({ visibilityProperty: true })) continue;
    const { width, height } = areaOf(element).getBoundingClientRect();
    // A hair below is rounding.
    if (width > LEAST - 0.5 && height > LEAST - 0.5) continue;
    if (isUnseen(element) || isInText(element)) continue;
    const name = element.getAttribute("aria-label") ?? element.textContent?.trim();
    small.push(`${element.tagName} "${name}" ${width.toFixed(0)} × ${height.toFixed(0)}`);
  }
  return small;

  function areaOf(element: HTMLElement): Element {
    const label = element.matches("[type=checkbox], [type=radio]") && element.closest("label");
    // A link whose area is spread over the card around it.
    const isSpread = getComputedStyle(element, "::after").position === "absolute";
    return label || (isSpread && element.offsetParent) || element;
  }

  /** The skip link until it has the focus. */
  function isUnseen(element: HTMLElement): boolean {
    return getComputedStyle(element).clipPath === "inset(50%)";
  }

  function isInText(element: HTMLElement): boolean {
    if (!element.matches("a") || getComputedStyle(element).display !== "inline") return false;
    const text = element.parentElement?.textContent?.trim() ?? "";
    return text.length > (element.textContent?.trim().length ?? 0);
  }
}

/** How much of the screen is taken by what stays in its place, in the middle of the page. */
export function barShare(): number {
  if (document.querySelector("dialog:modal, .yarl__portal")) return 0;
  window.scrollTo(0, document.documentElement.scrollHeight / 2);
  const points = Array.from({ length: innerHeight / 4 }, (_, n) => n * 4 + 1);
  const covered = points.filter((y) => {
    for (let at = document.elementFromPoint(innerWidth / 2, y); at; at = at.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
    }
    return false;
  });
  return covered.length / points.length;
}

/** How much of the screen banner, header, bars and toast take, at the top of the page. */
export function barsAndToast(): number {
  window.scrollTo(0, 0);
  const found = document.querySelectorAll(
    "aside[aria-label=Demo], [data-bar], [aria-label=Notifications] li",
  );
  const heights = [...found].map((bar) => {
    const { top, bottom } = bar.getBoundingClientRect();
    return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
  });
  return heights.reduce((sum, height) => sum + height, 0) / innerHeight;
}

/** What can be pressed and overflows the edge of a box that hides it and does not scroll. */
export function overTheEdge(): string[] {
  const found = document.querySelectorAll<HTMLElement>("a[href], button, input, select, summary");
  const over = [...found].filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    if (left >= -1 && right <= innerWidth + 1) return false;
    if (element.closest("[inert], .sr-only, .marquee-track, .yarl__portal")) return false;
    return element.checkVisibility({ visibilityProperty: true }) && !canScroll(element);
  });
  return over.map((element) => element.getAttribute("aria-label") ?? element.textContent.trim());

  function canScroll(from: Element): boolean {
    for (let at: Element | null = from; at; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  }
}

/** What cannot be brought onto the screen whole, or lies under something there. */
export function outOfReach(): string[] {
  // A list of options goes as the focus leaves its field, a message by itself.
  const PASSING = "[role=listbox], [aria-label=Notifications]";
  const modal = document.querySelector("dialog:modal");
  if (document.querySelector(".yarl__portal")) return [];
  const found = (modal ?? document).querySelectorAll<HTMLElement>(
    "a[href], button, input:not([type=hidden]), select, textarea, summary",
  );
  const lost: string[] = [];
  for (const element of found) {
    if (element.closest("[inert]") || !element.checkVisibility({ visibilityProperty: true }))
      continue;
    if (getComputedStyle(element).clipPath === "inset(50%)") continue;
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
    // The first line of a link that has several.
    const { left, right, top, bottom } = element.getClientRects()[0]!;
    const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
    const over = document.elementFromPoint(x, y);
    const target = element.closest("label") ?? element;
    if (over && (target.contains(over) || over.closest(PASSING))) continue;
    const by = `${over?.tagName} "${over?.textContent?.trim().slice(0, 20)}"`;
    const name = element.getAttribute("aria-label") ?? element.textContent?.trim();
    lost.push(`${element.tagName} "${name?.slice(0, 40)}" under ${by}`);
  }
  return lost;
}

/** Texts that a drawn line of the pitch touches, where the line is seen. */
export function linesThroughText(): string[] {
  const found = new Set<string>();
  for (const lines of document.querySelectorAll<SVGSVGElement>(".pitch-lines")) {
    if (!lines.checkVisibility()) continue;
    const box = lines.parentElement!;
    const texts = textsIn(box);
    const seen = box.getBoundingClientRect();
    for (const point of pointsOf(lines).filter((at) => isWithin(seen, at))) {
      const touched = texts.find(({ rect }) => isWithin(rect, point));
      if (touched) found.add(touched.text);
    }
  }
  return [...found];

  function isWithin({ left, right, top, bottom }: DOMRect, { x, y }: DOMPoint): boolean {
    return x >= left && x <= right && y >= top && y <= bottom;
  }

  function textsIn(box: Element) {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const texts: { text: string; rect: DOMRect }[] = [];
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent!.trim();
      const parent = walker.currentNode.parentElement!;
      if (!text || !parent.checkVisibility() || parent.closest(".sr-only")) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      for (const rect of range.getClientRects()) texts.push({ text, rect });
    }
    return texts;
  }

  function pointsOf(lines: SVGSVGElement): DOMPoint[] {
    return [...lines.querySelectorAll<SVGGeometryElement>("path, circle")].flatMap((line) => {
      const [length, matrix] = [line.getTotalLength(), line.getScreenCTM()!];
      const steps = Math.ceil(length / 2);
      return Array.from({ length: steps + 1 }, (_, n) =>
        DOMPoint.fromPoint(line.getPointAtLength((n * length) / steps)).matrixTransform(matrix),
      );
    });
  }
}

/** The root font of who has set text to 200 %. */
export function LARGE_TEXT(): void {
  document.documentElement.style.setProperty("font-size", "200%");
}

/** Widens text by WCAG 1.4.12; in its own stylesheet, because the page allows no style elements. */
export function WIDER_TEXT(): void {
  const styles = new CSSStyleSheet();
  styles.replaceSync(
    "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; " +
      "word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }",
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
}

/** Texts of which a part is outside of a box that hides what does not fit. */
export function cutTexts(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const cut: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent?.trim();
    if (!text || !parent?.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest("script, style, select, svg, .sr-only, .line-clamp-2, .line-clamp-3"))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (isCut(parent, box)) cut.push(text.slice(0, 60));
  }
  return cut;

  function isCut(from: Element, box: DOMRect): boolean {
    for (let at: Element | null = from; at; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      const edge = at.getBoundingClientRect();
      const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
      if (hides(overflowX) && (box.left < edge.left - 1 || box.right > edge.right + 1)) return true;
      if (hides(overflowY) && (box.top < edge.top - 1 || box.bottom > edge.bottom + 1)) return true;
      if (/auto|scroll/.test(overflowX + overflowY)) return false;
    }
    return false;
  }
}

/** What moves by itself, or by a style that is still changing. */
export function runningMotions(): string[] {
  return document
    .getAnimations()
    .filter(({ playState }) => playState === "running")
    .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 0)
    .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 80) ?? "");
}
