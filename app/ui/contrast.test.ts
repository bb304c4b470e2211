import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync(new URL("../app.css", import.meta.url), "utf8");
const grounds = ["canvas", "surface", "raised", "sunken"];

const texts: [string, string][] = [
  ...pairs(["ink", "muted"], grounds),
  ...pairs(["good", "warn", "danger", "info"], ["canvas", "surface", "raised"]),
  ...["good", "warn", "danger", "info"].map((tone): [string, string] => [tone, `${tone}-soft`]),
  ["canvas", "ink"],
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
  ["on-danger", "danger-solid"],
  ["chalk", "night"],
];

const controls: [string, string][] = [
  ...pairs(["edge", "accent-edge", "danger-solid"], ["canvas", "surface", "raised"]),
  ...pairs(["focus"], grounds),
  ["good", "sunken"],
];

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  test.each(texts)("text %s on %s reaches 4.5:1", (text, ground) => {
    expect(contrast(token(text, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(controls)("control %s on %s reaches 3:1", (line, ground) => {
    expect(contrast(token(line, theme), token(ground, theme))).toBeGreaterThanOrEqual(3);
  });
});

test("black on white is 21:1", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
});

function pairs(fronts: string[], backs: string[]): [string, string][] {
  return fronts.flatMap((front) => backs.map((back): [string, string] => [front, back]));
}

/** A token's colour, `--name: #rrggbb` or `--name: light-dark(#rrggbb, #rrggbb)`. */
function token(name: string, theme: "light" | "dark"): string {
  const found = new RegExp(
    `^  --${name}: (?:light-dark\\((#\\w{6}), (#\\w{6})\\)|(#\\w{6}));$`,
    "m",
  ).exec(css);
  const colour = found?.[3] ?? found?.[theme === "light" ? 1 : 2];
  if (!colour) throw new Error(`app.css has no colour --${name}`);
  return colour;
}

/** WCAG 2 contrast of two `#rrggbb` colours. */
function contrast(one: string, other: string): number {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
