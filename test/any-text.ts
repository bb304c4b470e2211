import fc from "fast-check";

const character = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/**
 * Any text of any characters. `fc.string({ unit: "binary" })` says the same, and first makes a list of
 * a million characters, which takes seconds.
 */
export function anyText({ minLength = 0 } = {}): fc.Arbitrary<string> {
  const anything = fc.array(character, { minLength }).map((characters) => characters.join(""));
  // Those of ASCII have also words that programs know, such as __proto__.
  return fc.oneof(anything, fc.string({ minLength }));
}
