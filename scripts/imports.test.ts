import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { IMPORT_RULES } from "./import-rules.ts";
import { importsOf, violations } from "./imports.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "kickabout-imports-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, code = "") {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), code);
}

test("imports of every form are seen, of values and of types, and none of packages", () => {
  for (const name of "abcdefgh") write(`app/${name}.ts`);
  write("test/i.ts");
  write(
    "app/all.tsx",
    [
      'import a from "./a.ts"; import type { B } from "#app/b.ts"; import "./c.ts";',
      'export * from "./d.ts"; export type { E } from "../app/e.ts"; import text from "./f.ts?raw";',
      'const g = await import("./g.ts"); type H = import("./h.ts").H; import { i } from "#test/i.ts";',
      'import path from "node:path"; import { z } from "zod"; import type { R } from "./+types/all";',
    ].join("\n"),
  );
  const found = importsOf(folder, "app/all.tsx");
  expect([...found].toSorted().join(" ")).toBe(
    [..."abcdefgh"].map((name) => `app/${name}.ts`).join(" ") + " test/i.ts",
  );
});

test("a file that cannot be read is no file without imports", () => {
  write("app/broken.ts", "import {");
  expect(() => importsOf(folder, "app/broken.ts")).toThrow("app/broken.ts cannot be read");
});

const imports = (...pairs: [string, ...string[]][]) =>
  new Map(pairs.map(([file, ...targets]) => [file, new Set(targets)]));

test("a circle is found, and two ways to a file are none", () => {
  const ways = imports(["a", "b", "c"], ["b", "d"], ["c", "d"], ["d"]);
  expect(violations(ways, [])).toEqual([]);
  ways.set("d", new Set(["a"]));
  expect(violations(ways, [])).toEqual(["no-cycles: d imports a"]);
});

test.each([
  ["app/platform/a.ts", "app/ui/b.tsx", "platform-is-the-ground"],
  ["app/features/wallet/a.ts", "app/features/bookings/b.ts", "features-import-downwards"],
  ["app/features/partners/a.ts", "app/features/games/b.ts", "features-import-downwards"],
  ["app/features/new/a.ts", "app/features/games/b.ts", "features-import-downwards"],
  ["app/routes/legal/a.tsx", "app/routes/games/b.tsx", "areas-import-no-other"],
  ["app/routes/a.ts", "test/b.ts", "the-app-imports-no-tests-or-scripts"],
  ["worker.ts", "app/routes/a.ts", "the-worker-skips-routes"],
])("%s must not import %s", (from, to, name) => {
  expect(violations(imports([from, to]), IMPORT_RULES)).toEqual([`${name}: ${from} imports ${to}`]);
});

test.each([
  ["app/features/bookings/a.ts", "app/features/wallet/b.ts"],
  ["app/features/wallet/a.ts", "app/features/wallet/stripe/b.ts"],
  ["app/features/wallet/a.test.ts", "app/features/bookings/b.ts"],
  ["app/routes/games/a.tsx", "app/routes/responses/b.ts"],
])("%s may import %s", (from, to) => {
  expect(violations(imports([from, to]), IMPORT_RULES)).toEqual([]);
});
