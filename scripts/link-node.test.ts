import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "kickabout-link-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function link() {
  const script = path.join(projectRoot, "scripts", "link-node.mjs");
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
  expect(link()).toMatchObject({ status: 0, stderr: "" });
  expect(linked()).toBe("ours");
});

test("a link that is there stays, and without a Node there is none", () => {
  expect(link()).toMatchObject({ status: 0, stderr: "" });
  expect(linked).toThrow("ENOENT");
  put(OWN, "ours");
  put(".bin/node", "npm's");
  expect(link()).toMatchObject({ status: 0, stderr: "" });
  expect(linked()).toBe("npm's");
});
