// @ts-expect-error -- It has no types.
import { compile } from "html-to-text";

interface Selector {
  selector: string;
  format?: string;
  options?: object;
}

const SELECTORS: Selector[] = [
  { selector: "img", format: "skip" },
  { selector: "[data-skip-in-text=true]", format: "skip" },
  { selector: "a", options: { linkBrackets: false, hideLinkHrefIfSameAsText: true } },
  ...["td", "th"].map((selector) => ({
    selector,
    format: "block",
    options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
  })),
];

/** An email as plain text; compiled once, since each mail would take that time. */
export function plainTextReader(more: Selector[] = []): (html: string) => string {
  return compile({ wordwrap: false, selectors: [...SELECTORS, ...more] });
}
