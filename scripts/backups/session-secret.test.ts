import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeOtherSecret } from "./session-secret.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "kickabout-secrets-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const THEN = "hunter1";
const demo = (session: string) => JSON.stringify({ session, webhook: "whsec_1" });

async function describe(backup: string[], here: { given?: string; stored?: string }, kept = false) {
  const [from, dataDir] = [path.join(folder, "backup"), path.join(folder, "data")];
  for (const made of [from, dataDir]) mkdirSync(made);
  for (const name of backup) {
    const text = name === "env" ? `SESSION_SECRET=${THEN}\n` : demo(THEN);
    writeFileSync(path.join(from, name), text);
  }
  if (here.stored) writeFileSync(path.join(dataDir, "secrets.json"), demo(here.stored));
  return describeOtherSecret({ backup: from, dataDir, given: here.given, isAccessKept: kept });
}

test.each([
  [["env"], { given: "hunter2" }, "env"],
  [["env"], {}, "env"],
  [["env"], { stored: "hunter2" }, "env"],
  [["secrets.json"], { stored: "hunter2" }, "secrets.json"],
  [["secrets.json"], {}, "secrets.json"],
  [["secrets.json"], { given: "hunter2", stored: THEN }, "secrets.json"],
])("a backup with the secret in %j is not of a site with %j", async (backup, here, file) => {
  expect(await describe(backup, here)).toBe(
    `SESSION_SECRET is not that of ${path.join(folder, "backup", file)}: with another, second ` +
      "factors and the links of emails that waited then are lost: set it before the first start",
  );
});

test.each([
  [["env"], { given: THEN }],
  [["env"], { given: THEN, stored: "hunter2" }],
  [["secrets.json"], { stored: THEN }],
  [["env", "secrets.json"], { given: THEN }],
  // A container's configuration is elsewhere.
  [[], { given: "hunter2" }],
])("a backup with the secret in %j may be of a site with %j", async (backup, here) => {
  expect(await describe(backup, here)).toBeNull();
});

test("where second factors stay as in the database from before, only links are lost", async () => {
  expect(await describe(["env"], { given: "hunter2" }, true)).toMatch(
    /with another, the links of emails that waited then are lost$/,
  );
});
