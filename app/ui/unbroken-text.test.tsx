import { expect, test } from "vitest";
import { renderPage } from "#test/screen.tsx";
import { UnbrokenText } from "./unbroken-text.tsx";

const drawn = (text: string) => renderPage(() => <UnbrokenText text={text} />);

test("a name of short words is plain text", () => {
  expect(drawn("Anna-Maria O’Brien")).toBe("Anna-Maria O’Brien");
});

test("a word with a hyphen breaks there first", () => {
  expect(drawn("Hohenlohe-Schillingsfürst")).toMatch(/^Hohenlohe-<span[^>]*>Schi\u00ADllin/);
});

test("only a long word may break, after every fourth character with its marks", () => {
  expect(drawn("Bo Vanderhoogstraten")).toBe(
    'Bo <span class="inline-block max-w-full">Vand\u00ADerho\u00ADogst\u00ADrate\u00ADn</span>',
  );
  expect(drawn(`${"x\u0301".repeat(9)}`)).toContain(`${"x\u0301".repeat(4)}\u00AD`);
});
