import { expect, test } from "vitest";
import { linksOf, renderPage, textOf } from "#test/screen.tsx";
import { ErrorSummary } from "./error-summary.tsx";

const errorsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ field: `field${n}`, message: `Error ${n}` }));

test("a few errors are a list, each leading to its field", () => {
  const html = renderPage(ErrorSummary, { errors: errorsOf(3) });
  expect(html.match(/<li/g)).toHaveLength(3);
  expect(linksOf(html)).toEqual(["Error 0 → #field0", "Error 1 → #field1", "Error 2 → #field2"]);
});

test("more of them follow each other in one paragraph, so that they fit on a phone", () => {
  const html = renderPage(ErrorSummary, { errors: errorsOf(4) });
  expect(html).not.toContain("<li");
  expect(linksOf(html)).toHaveLength(4);
  expect(textOf(html)).toContain("|Error 0|\u00a0· |Error 1|\u00a0· |Error 2|\u00a0· |Error 3|");
});
