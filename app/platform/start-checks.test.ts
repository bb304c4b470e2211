import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readEnv } from "./env.server.ts";
import { log } from "./log.server.ts";
import { forwardingCheck, prepareDataDir, warnOfAddress } from "./start-checks.server.ts";

let folder: string;
afterEach(() => vi.restoreAllMocks());
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

test.each([
  [1, undefined, "1, but a request came with 0 addresses"],
  [1, "", "1, but a request came with 0 addresses"],
  [2, "192.0.2.1", "2, but a request came with 1 address "],
  [0, "192.0.2.1", "0, but a request came with X-Forwarded-For"],
])(
  "with TRUST_PROXY=%i a request with X-Forwarded-For %j is warned of once",
  (trust, given, text) => {
    const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
    const check = forwardingCheck(trust);
    check(given);
    check(given);
    expect(warned).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining(`TRUST_PROXY is ${text}`),
    );
  },
);

test.each([
  [0, undefined],
  [1, "192.0.2.1"],
  // What a browser has sent stands before it.
  [1, "10.0.0.1, 192.0.2.1"],
  [2, "192.0.2.1, 10.0.0.9"],
])("with TRUST_PROXY=%i a request with X-Forwarded-For %j is as it should be", (trust, given) => {
  const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
  forwardingCheck(trust)(given);
  expect(warned).not.toHaveBeenCalled();
});
