import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { visit } from "#test/visit.ts";
import { storeFile } from "#app/platform/files.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader } from "./file.ts";

const database = useDatabase();
let app: App;
beforeAll(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "kickabout-served-"));
  app = testApp(database);
  app = { ...app, env: { ...app.env, dataDir } };
  await storeFile(dataDir, "avatars/0a1b-512.webp", Buffer.from("picture"));
});
afterAll(() => rm(app.env.dataDir, { recursive: true }));

const ask = (name: string) => visit(app, loader, { path: `/files/${encodeURIComponent(name)}` });

test("a stored file, for as long as a browser likes", async () => {
  const { status, headers } = await ask("avatars/0a1b-512.webp");
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toEqual({
    "content-type": "image/webp",
    "content-length": "7",
    "cache-control": "private, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  });
});

test.each(["", "avatars/0a1c-512.webp", "../outbox/mail.eml", "avatars/../../session-secret"])(
  "%j is not there, and no cache remembers it",
  async (name) => {
    const { status, headers } = await ask(name);
    expect([status, headers.get("Cache-Control")]).toEqual([404, null]);
  },
);
