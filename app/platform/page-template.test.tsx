import fc from "fast-check";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { anyText } from "#test/any-text.ts";
import { allHostileTexts } from "#test/hostile-texts.ts";
import { cutTemplate, fillTemplate, placeholder } from "./page-template.server.ts";

const HOSTILE = allHostileTexts().map(({ text }) => text);

/** A text of a page, an attribute, and the router's way to write data into it for hydration. */
function page(word: string): Buffer {
  const data = JSON.stringify(`${JSON.stringify([{ word }, "ä", word])}\n`);
  const code = data.replace(/[&><\u2028\u2029]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  const html = renderToString(
    <main title={word}>
      <h1>Hi {word}</h1>ä{word}
      <script dangerouslySetInnerHTML={{ __html: `enqueue(${code})` }} />
      <p aria-label={`${word}, ${word}`}>{word}</p>
    </main>,
  );
  return Buffer.from(html);
}

const asSent = (html: Buffer) => html.toString().replaceAll("\0", "&#xfffd;");

/** Makes and fills it like entry.server.tsx. */
function filled(word: string) {
  const template = cutTemplate(page(placeholder("word")).toString("latin1"));
  return asSent(fillTemplate(template, new Map([["word", word]])));
}

test("a gap holds whatever somebody may type, as React and the router write it", () => {
  for (const text of HOSTILE) expect(filled(text)).toBe(asSent(page(text)));
});

test("a gap holds any word", () => {
  const sign = fc.constantFrom(
    ..."<>&\"'\\/$`{}\0\r\n\t\u2028\u2029\ud83d\ude00ä",
    "</script>",
    "$&",
  );
  const word = fc.oneof(
    anyText({ minLength: 1 }),
    fc.array(sign, { minLength: 1 }).map((signs) => signs.join("")),
  );
  fc.assert(fc.property(word, (text) => filled(text) === asSent(page(text))));
});

test("a word that looks like a gap is a word", () => {
  for (const word of [placeholder("word"), placeholder("other"), "wword."]) {
    expect(filled(word)).toBe(asSent(page(word)));
  }
});

test("a page without its word is not sent", () => {
  const template = cutTemplate(`<p>${placeholder("name")}</p>`);
  expect(() => fillTemplate(template, new Map())).toThrow("no word for name");
});
