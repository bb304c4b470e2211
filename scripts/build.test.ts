import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hashSources, SOURCES } from "./build.ts";

function aProject() {
  const root = mkdtempSync(path.join(tmpdir(), "kickabout-sources-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const at = (file: string) => path.join(root, file);
  for (const source of SOURCES) {
    if (path.extname(source)) writeFileSync(at(source), source);
    else mkdirSync(at(source));
  }
  mkdirSync(at("public/icons"));
  writeFileSync(at("public/icons/ball.png"), "ball");
  return { at, hash: () => hashSources(root) };
}

test("whatever a pull changes, adds, deletes or renames, the build is stale", () => {
  const { at, hash } = aProject();
  const seen = [hash()];
  const changes: Record<string, () => void> = {
    "a deleted picture": () => rmSync(at("public/icons/ball.png")),
    "a script that the build runs": () => writeFileSync(at("scripts/build.ts"), "compress"),
    "another version of a package": () => writeFileSync(at("package-lock.json"), "{}"),
    "an older file": () => {
      writeFileSync(at("app/root.tsx"), "root");
      utimesSync(at("app/root.tsx"), 0, 0);
    },
    "another name": () => renameSync(at("app/root.tsx"), at("app/main.tsx")),
  };
  for (const [what, change] of Object.entries(changes)) {
    change();
    expect(seen, what).not.toContain(hash());
    seen.push(hash());
  }
});

test("a file that is only written again leaves the build as it is", () => {
  const { at, hash } = aProject();
  const before = hash();
  writeFileSync(at("package-lock.json"), "package-lock.json");
  utimesSync(at("package-lock.json"), new Date(), new Date(Date.now() + 60_000));
  expect(hash()).toBe(before);
});
