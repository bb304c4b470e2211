import { type RefObject, useLayoutEffect } from "react";

/** A toast keeps clear of bars at the edges, or of the dialog that lies over them. */
const BARS = "[data-bar]";
const DIALOG = "dialog:modal";
const ENDS = ":scope > * > :is(header, footer)";
/** What must stay readable where there is another spot for the toast. */
const READ = "[data-read]";
/** The same as in the region's style. */
const GAP = 8;

let pressed: Element | null = null;

export function keepClearOf(button: Element | null): void {
  pressed = button;
}

/** Keeps a toast above the bars at the lower edge, or where it covers neither focus nor button. */
export function useToastPosition(region: RefObject<HTMLElement | null>, shown: unknown) {
  useLayoutEffect(() => {
    if (!shown) return;
    const place = () => region.current && positionToast(region.current);
    place();
    const { visualViewport } = window;
    const ending = new AbortController();
    const { signal } = ending;
    // The focus may move to where the toast is, and a keyboard may open.
    document.addEventListener("focusin", place, { signal });
    for (const target of [window, visualViewport]) {
      target?.addEventListener("resize", place, { signal });
      // A dialog's scrolling too.
      target?.addEventListener("scroll", place, { signal, passive: true, capture: true });
    }
    return () => ending.abort();
  }, [region, shown]);
}

type Span = Pick<DOMRect, "top" | "bottom" | "left" | "right">;

function positionToast(region: HTMLElement) {
  const { left, right, height } = region.getBoundingClientRect();
  const spanAbove = (bottom: number) => ({ left, right, bottom, top: bottom - height - GAP });
  const dialog = region.closest(DIALOG);
  const rising = dialog ? risingBy(dialog) : 0;
  const bars = dialog ? [raise(dialog.getBoundingClientRect(), rising)] : boxesOf(document, BARS);
  // A dialog that fills the screen still has its buttons at its ends.
  const ends = dialog ? boxesOf(dialog, ENDS).map((end) => raise(end, rising)) : [];
  const edge = visibleBottom();
  let floor = edge;
  // From the bottom up, since bars may be stacked.
  for (const bar of bars.toSorted((one, other) => other.top - one.top)) {
    if (overlap(spanAbove(floor), bar)) floor = bar.top;
  }
  const heads = bars.map(({ bottom }) => bottom).filter((bottom) => bottom < innerHeight / 2);
  const belowHeader = Math.max(0, ...heads) + height + 2 * GAP;
  const kept = keptClear(region);
  const isFree = (bottom: number, clear: Span[]) => {
    const span = spanAbove(bottom);
    return span.top >= 0 && bottom <= edge && !clear.some((other) => overlap(span, other));
  };
  // On a very small screen not everything can stay free: at least the focus does.
  const places = [floor, belowHeader, ...ends.map(({ top }) => top), edge];
  const read = boxesOf(document, READ);
  const bottom =
    places.find((place) => isFree(place, [...kept, ...bars, ...read])) ??
    places.find((place) => isFree(place, [...kept, ...bars])) ??
    places.find((place) => isFree(place, [...kept, ...ends])) ??
    places.find((place) => isFree(place, kept)) ??
    edge;
  region.style.setProperty("--floor", `${innerHeight - bottom}px`);
}

/** How far a dialog that is opening still has to rise: what counts is where it will be. */
function risingBy(dialog: Element): number {
  const [, down = "0"] = getComputedStyle(dialog).translate.split(" ");
  return Number.parseFloat(down);
}

const raise = ({ left, right, top, bottom }: Span, by: number): Span => ({
  ...{ left, right, top: top - by, bottom: bottom - by },
});

const boxesOf = (root: ParentNode, selector: string) =>
  [...root.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());

/** The keyboard on the screen covers the page below this. */
function visibleBottom(): number {
  const { visualViewport: visible } = window;
  return visible ? Math.min(innerHeight, visible.offsetTop + visible.height) : innerHeight;
}

function keptClear(region: HTMLElement): Span[] {
  return [document.activeElement, pressed]
    .filter((element) => element && element !== document.body && !region.contains(element))
    .map((element) => element!.getBoundingClientRect());
}

function overlap(one: Span, other: Span): boolean {
  const isBeside = one.right <= other.left || one.left >= other.right;
  return !isBeside && one.top < other.bottom && one.bottom > other.top;
}
