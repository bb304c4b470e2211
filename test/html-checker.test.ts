import { expect, test } from "vitest";
import { readPage } from "./html-checker.ts";

const pageWith = (markup: string) =>
  readPage(
    `<!DOCTYPE html><html><head><script nonce="ours">run()</script></head><body>${markup}</body></html>`,
  ).problems;

test.each([
  ["text of the site", "<p>Tom &amp; Jerry</p>", []],
  ["its own script", '<script nonce="ours">run()</script>', []],
  ["data", '<script type="application/ld+json">{"name":"Hall"}</script>', []],
  ["a script without a nonce", "<script>run()</script>", ["a script without a nonce"]],
  ["a script with an empty nonce", '<script nonce="">run()</script>', ["a script without a nonce"]],
  [
    "a script with another nonce",
    '<script nonce="theirs">run()</script>',
    ["scripts with different nonces"],
  ],
  ["a handler", '<img src="/x.png" onerror="run()">', ["img onerror"]],
])("the markup check of %s", (_, markup, problems) => {
  expect(pageWith(markup)).toEqual(problems);
});
