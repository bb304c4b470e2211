import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { expect, test } from "./fixtures.ts";

test("a process keeps the assets of its build, and serves what a later version has kept", async ({
  request,
  dataDir,
}) => {
  const kept = path.join(dataDir, "builds", "assets");
  const built = readdirSync(path.join(projectRoot, "build", "client", "assets"));
  expect(built.length).toBeGreaterThan(100);
  expect(readdirSync(kept)).toEqual(expect.arrayContaining(built));

  expect((await request.get("/assets/page-later.js")).status()).toBe(404);
  writeFileSync(path.join(kept, "page-later.js"), "export {};");
  const later = await request.get("/assets/page-later.js");
  expect(later.status()).toBe(200);
  expect(later.headers()).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
});
