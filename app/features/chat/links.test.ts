import { describe, expect, test } from "vitest";
import { allHostileTexts } from "#test/hostile-texts.ts";
import { linkParts } from "./links.server.ts";

describe("a link", () => {
  const link = (text: string, href = text) => ({ text, href });
  test.each([
    ["no link here", [{ text: "no link here" }]],
    ["https://a.example/", [link("https://a.example/")]],
    [
      "see https://a.example/x?y=1#z.",
      [{ text: "see " }, link("https://a.example/x?y=1#z"), { text: "." }],
    ],
    [
      "(https://a.example/b_(c)), ok",
      [{ text: "(" }, link("https://a.example/b_(c)"), { text: "), ok" }],
    ],
    ["https://a.example/[b].", [link("https://a.example/[b]"), { text: "." }]],
    // Cyrillic letters that look like "apple".
    ["https://аррӏе.example/a", [link("https://xn--80ak6aa92e.example/a")]],
    [
      "https://jäähalli.example/ж",
      [link("https://jäähalli.example/ж", "https://xn--jhalli-buaa.example/%D0%B6")],
    ],
    ["(http://a.example/b), ok", [{ text: "(" }, link("http://a.example/b"), { text: "), ok" }]],
    ["javascript:alert(1)", [{ text: "javascript:alert(1)" }]],
    ["ftp://a.example", [{ text: "ftp://a.example" }]],
    ["http://[", [{ text: "http://[" }]],
    ["https://bank.example@a.example/", [{ text: "https://bank.example@a.example/" }]],
    ["https://a.example/\u202eb", [link("https://a.example/"), { text: "\u202eb" }]],
    ["+358 40 123 4567", [{ text: "+358 40 123 4567" }]],
    [
      "Map: www.google.com/maps.",
      [
        { text: "Map: " },
        link("www.google.com/maps", "https://www.google.com/maps"),
        { text: "." },
      ],
    ],
    ["WWW.A.example", [link("WWW.A.example", "https://www.a.example/")]],
    ["www. and www.x and me@www.a.b", [{ text: "www. and www.x and me@www.a.b" }]],
    [
      "javascript:https://a.example",
      [{ text: "javascript:" }, link("https://a.example", "https://a.example/")],
    ],
    ["//www.a.example and a.example", [{ text: "//www.a.example and a.example" }]],
    ["https://www.a.example/", [link("https://www.a.example/")]],
  ])("%j", (body, parts) => {
    expect(linkParts(body)).toEqual(parts);
  });

  const REPEATED = ["https://", "www.", "//a.b/(", "[({", "a@www.b.", "x://", "!?", "'a", "\u0301"];

  test("loses nothing of any hostile text, and leads to the web only", () => {
    const long = REPEATED.map((start) => ({ text: `https://a.example/${start.repeat(500)}` }));
    for (const { text } of [...allHostileTexts(), ...long]) {
      const parts = linkParts(text);
      expect(parts.map((part) => part.text).join("")).toBe(text);
      for (const { href } of parts) expect(href ?? "https:").toMatch(/^https?:/);
    }
  });
});
