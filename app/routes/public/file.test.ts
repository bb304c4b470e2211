import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { openTestBucket, STORAGES, type TestStorage } from "#test/storages.ts";
import { openSite } from "#test/whole-site.ts";
import { openFiles } from "#app/platform/files.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
const NAME = "avatars/0a1b-512.webp";
const HEADERS = {
  "content-type": "image/webp",
  "content-length": "7",
  "cache-control": "private, max-age=31536000, immutable",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

async function siteOf(storage: TestStorage) {
  const app = testApp(database);
  const served: App = { ...app, env: { ...app.env, ...storage.env } };
  const site = await openSite(served);
  await openFiles(storage.env).store(NAME, Buffer.from("picture"));
  return (name: string, method = "GET") => site(`/files/${encodeURIComponent(name)}`, { method });
}

describe.each(STORAGES)("from $place", ({ open }) => {
  let storage: TestStorage;
  let ask: Awaited<ReturnType<typeof siteOf>>;
  beforeAll(async () => {
    storage = await open();
    ask = await siteOf(storage);
  });
  afterAll(() => storage.close());

  test("a stored file, for as long as a browser likes", async () => {
    const response = await ask(NAME);
    expect([response.status, await response.text()]).toEqual([200, "picture"]);
    expect(Object.fromEntries(response.headers)).toEqual(HEADERS);
  });

  test("HEAD has the headers alone", async () => {
    const response = await ask(NAME, "HEAD");
    expect([response.status, response.body]).toEqual([200, null]);
    expect(Object.fromEntries(response.headers)).toEqual(HEADERS);
  });

  test("a photo that was stored without a square is its wide form", async () => {
    for (const form of ["480.avif", "480.webp"]) {
      await openFiles(storage.env).store(`photos/0a1b-${form}`, Buffer.from(form));
    }
    const [old, none] = [await ask("photos/0a1b-256.avif"), await ask("photos/0a1c-256.avif")];
    expect([old.status, await old.text(), none.status]).toEqual([200, "480.avif", 404]);
    await openFiles(storage.env).store("photos/0a1b-256.avif", Buffer.from("square"));
    expect(await (await ask("photos/0a1b-256.avif")).text()).toBe("square");
  });

  test.each(["", "avatars/0a1c-512.webp", "../outbox/mail.eml", "avatars/../../session-secret"])(
    "%j is not there, and no cache remembers it",
    async (name) => {
      const { status, headers } = await ask(name);
      expect([status, headers.get("Cache-Control")]).toEqual([404, null]);
    },
  );
});

describe("while the bucket is away", () => {
  let storage: Awaited<ReturnType<typeof openTestBucket>>;
  let ask: Awaited<ReturnType<typeof siteOf>>;
  beforeAll(async () => {
    storage = await openTestBucket();
    ask = await siteOf(storage);
  });
  afterAll(() => storage.close());

  test.each(["silent", "away", "moved"] as const)(
    "%s: a file is 503 with Retry-After, and no cache keeps it",
    async (mood) => {
      storage.server.state.mood = mood;
      const { status, headers } = await ask(NAME);
      expect([status, headers.get("Retry-After")]).toEqual([503, "10"]);
      expect(headers.get("Cache-Control") ?? "").not.toContain("immutable");
    },
  );

  test("HEAD holds no connection to the bucket open", async () => {
    storage.server.state.mood = "half";
    expect((await ask(NAME, "HEAD")).status).toBe(200);
    await expect.poll(() => storage.server.state.open).toBe(0);
  });

  test("half a file breaks off, and is served once the bucket is back", async () => {
    storage.server.state.mood = "half";
    const response = await ask(NAME);
    expect(response.headers.get("Content-Length")).toBe("7");
    await expect(response.text()).rejects.toThrow("did not answer in time");
    storage.server.state.mood = "well";
    expect(await (await ask(NAME)).text()).toBe("picture");
  });
});
