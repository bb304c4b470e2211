import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "kickabout-install-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function install() {
  const script = path.join(projectRoot, "scripts", "after-install.mjs");
  return spawnSync(process.execPath, [script], { cwd: folder, encoding: "utf8" });
}

function put(name: string, content: string) {
  const file = path.join(folder, "node_modules", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const linked = () => readFileSync(path.join(folder, "node_modules", ".bin", "node"), "utf8");
const OWN = `node-${process.platform}-${process.arch}/bin/node`;

test("a Node that was installed without a link gets one", () => {
  put(OWN, "ours");
  put(".bin/vite", "");
  expect(install()).toMatchObject({ status: 0, stderr: "" });
  expect(linked()).toBe("ours");
});

test("a link that is there stays, and without a Node there is none", () => {
  expect(install()).toMatchObject({ status: 0, stderr: "" });
  expect(linked).toThrow("ENOENT");
  put(OWN, "ours");
  put(".bin/node", "npm's");
  expect(install()).toMatchObject({ status: 0, stderr: "" });
  expect(linked()).toBe("npm's");
});

test("what no program loads goes, and the rest stays", () => {
  const unused = [
    `node-${process.platform}-${process.arch}/include/node/v8.h`,
    "stripe/cjs/stripe.js",
    "a/node_modules/@b/c/dist/index.mjs.map",
    "a/index.d.ts.map",
    "a/styles.css.map",
  ];
  const used = [
    ".bin/vite",
    "stripe/esm/stripe.js",
    "a/index.d.ts",
    "a/lib/source.map.js",
    "a/data.map",
    OWN,
  ];
  for (const name of [...unused, ...used]) put(name, "");
  expect(install()).toMatchObject({ status: 0, stderr: "" });
  const isThere = (name: string) => existsSync(path.join(folder, "node_modules", name));
  expect(unused.filter(isThere)).toEqual([]);
  expect(used.filter(isThere)).toEqual(used);
});
