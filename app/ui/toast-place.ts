import { type RefObject, useLayoutEffect } from "react";

/** Bars at the edges, which a toast never covers. */
const BARS = "[data-bar]";

/** Keeps a toast above the bars at the lower edge; below the header where it would cover the focus. */
export function useToastPlace(region: RefObject<HTMLElement | null>, shown: unknown) {
  useLayoutEffect(() => {
    if (!shown) return;
    const place = () => region.current && placeToast(region.current);
    place();
    const { visualViewport } = window;
    const ending = new AbortController();
    const { signal } = ending;
    // The focus may come to where the toast is, and a keyboard may come up.
    document.addEventListener("focusin", place, { signal });
    for (const target of [window, visualViewport]) {
      target?.addEventListener("resize", place, { signal });
      target?.addEventListener("scroll", place, { signal, passive: true });
    }
    return () => ending.abort();
  }, [region, shown]);
}

type Span = Pick<DOMRect, "top" | "bottom" | "left" | "right">;

function placeToast(region: HTMLElement) {
  const { left, right, height } = region.getBoundingClientRect();
  const bars = [...document.querySelectorAll(BARS)].map((bar) => bar.getBoundingClientRect());
  const spanAbove = (bottom: number) => ({ left, right, bottom, top: bottom - height - GAP });
  let floor = visibleBottom();
  // From below: above one bar may be another.
  for (const bar of bars.toSorted((a, b) => b.top - a.top)) {
    if (overlap(spanAbove(floor), bar)) floor = bar.top;
  }
  const isInTheWay = covers(spanAbove(floor), region);
  const ends = bars.map(({ bottom }) => bottom).filter((bottom) => bottom < innerHeight / 2);
  const roof = Math.max(0, ...ends);
  const span = { left, right, top: roof, bottom: roof + height + GAP };
  const goesUp = isInTheWay && !covers(span, region) && !bars.some((bar) => overlap(span, bar));
  region.toggleAttribute("data-up", goesUp);
  region.style.setProperty("--roof", `${roof}px`);
  region.style.setProperty("--floor", `${innerHeight - Math.max(floor, height + GAP)}px`);
}

/** As in the style of the region. */
const GAP = 8;

/** Above a keyboard on the screen, which lies over the page. */
function visibleBottom(): number {
  const { visualViewport: visible } = window;
  return visible ? Math.min(innerHeight, visible.offsetTop + visible.height) : innerHeight;
}

function covers(span: Span, region: HTMLElement): boolean {
  const focused = document.activeElement;
  if (!focused || focused === document.body || region.contains(focused)) return false;
  return overlap(span, focused.getBoundingClientRect());
}

function overlap(one: Span, other: Span): boolean {
  const isBeside = one.right <= other.left || one.left >= other.right;
  return !isBeside && one.top < other.bottom && one.bottom > other.top;
}
