import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readPage } from "./html-checker.ts";

const OURS = "run()";
const hash = createHash("sha256").update(OURS).digest("base64");
const problemsOf = (markup: string, policy: string) =>
  readPage(`<!DOCTYPE html><html><head></head><body>${markup}</body></html>`, policy).problems;

const UNNAMED = ["a script that the policy does not name"];

test.each([
  ["text of the site", "<p>Tom &amp; Jerry</p>", []],
  ["its own script", `<script nonce="ours">${OURS}</script>`, []],
  ["data", '<script type="application/ld+json">{"name":"Hall"}</script>', []],
  ["a script without a nonce", `<script>${OURS}</script>`, UNNAMED],
  ["a script with an empty nonce", `<script nonce="">${OURS}</script>`, UNNAMED],
  ["a script with another nonce", `<script nonce="theirs">${OURS}</script>`, UNNAMED],
  ["a handler", '<img src="/x.png" onerror="run()">', ["img onerror"]],
])("a page with a nonce: the check of %s", (_, markup, problems) => {
  expect(problemsOf(markup, "script-src 'nonce-ours'")).toEqual(problems);
});

test.each([
  ["its own script", `<script>${OURS}</script>`, []],
  ["another script", "<script>steal()</script>", UNNAMED],
])("a cached page, whose scripts are named by hash: the check of %s", (_, markup, problems) => {
  expect(problemsOf(markup, `script-src 'sha256-${hash}'`)).toEqual(problems);
});
