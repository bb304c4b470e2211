import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readEnv } from "./env.server.ts";
import { log } from "./log.server.ts";
import { prepareDataDir, warnOfAddress } from "./start-checks.server.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "kickabout-data-"))));
afterEach(() => rmSync(folder, { recursive: true }));

test("a folder that is not there is made, with those above it", () => {
  const dataDir = path.join(folder, "var", "data");
  prepareDataDir(dataDir);
  expect(() => prepareDataDir(dataDir)).not.toThrow();
});

test.each(["data", "data/below"])("%s that cannot be a folder is named", (name) => {
  writeFileSync(path.join(folder, "data"), "a file");
  const dataDir = path.join(folder, name);
  const complaint = `DATA_DIR: ${dataDir} is no folder`;
  expect(() => prepareDataDir(dataDir)).toThrow(complaint);
  // The demo keeps its secrets there.
  expect(() => readEnv({ DATA_DIR: dataDir })).toThrow(complaint);
});

test("a site whose address has no https is warned of, the demo is not", () => {
  const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
  warnOfAddress({ demo: true, appUrl: "http://localhost:3000" });
  warnOfAddress({ demo: false, appUrl: "https://kickabout.example" });
  expect(warned).not.toHaveBeenCalled();
  warnOfAddress({ demo: false, appUrl: "http://localhost:3009" });
  expect(warned).toHaveBeenCalledExactlyOnceWith(
    { url: "http://localhost:3009" },
    expect.stringContaining("APP_URL"),
  );
});
