import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";

// npm warns on the machine's own Node of every `engines` in the lock file, but the project brings
// its Node. It says so when a package is added: then is the time to look.
test("the lock file has no engines (vitest run test/package-lock.test.ts -u takes them out)", async () => {
  const file = path.join(projectRoot, "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, object> };
  for (const entry of Object.values(lock.packages)) Reflect.deleteProperty(entry, "engines");
  await expect(`${JSON.stringify(lock, null, 2)}\n`).toMatchFileSnapshot(file);
});
