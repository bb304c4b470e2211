import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { stripes } from "#test/pictures.ts";
import { ben } from "#test/fixtures.ts";
import { STORAGES, type TestStorage } from "#test/storages.ts";
import { fileUrl, openFiles, readWholeFile } from "#app/platform/files.server.ts";
import { changePicture, deletePictureFiles, removePicture } from "./pictures.server.ts";
import { PICTURE_MAX_BYTES } from "./rules.ts";

const database = useDatabase(12);
describe.each(STORAGES)("in $place", ({ open }) => {
  let storage: TestStorage;
  let userId: string;
  let jpeg: Buffer;
  beforeAll(async () => {
    jpeg = await stripes().jpeg().toBuffer();
  });
  beforeEach(async () => {
    storage = await open();
    userId = await ben(database.db);
  });
  afterEach(() => storage.close());

  const parts = () => ({ db: database.db, files: openFiles(storage.env) });
  const change = (bytes: Buffer, who = userId) =>
    changePicture(parts(), { userId: who, bytes, crop: null });
  const stored = () => storage.names();
  async function pictureUrl(): Promise<string | null> {
    const profile = database.db.selectFrom("profiles").select("profile_picture_url as url");
    return (await profile.where("user_id", "=", userId).executeTakeFirstOrThrow()).url;
  }

  // spec: 7.11
  test("the profile names the picture, which is there in both sizes", async () => {
    expect(await change(jpeg)).toEqual({ ok: true });
    const url = await pictureUrl();
    expect(url).toMatch(/^\/files\/avatars\/[0-9a-f]{32}-512\.webp$/);
    const name = url!.slice("/files/".length);
    expect(await stored()).toEqual([name.replace("-512", "-128"), name]);
    expect((await readWholeFile(openFiles(storage.env), name))?.toString("latin1", 8, 12)).toBe(
      "WEBP",
    );
  });

  // spec: 7.35
  test("a new picture has a new name, and the one before is deleted", async () => {
    await change(jpeg);
    const before = await pictureUrl();
    await change(await stripes().png().toBuffer());
    expect(await pictureUrl()).not.toBe(before);
    expect(await stored()).toHaveLength(2);
  });

  test("a removed picture is deleted, another player's stays", async () => {
    await change(jpeg);
    const other = await ben(database.db);
    await change(jpeg, other);
    await removePicture(parts(), userId);
    await removePicture(parts(), userId);
    expect(await pictureUrl()).toBeNull();
    expect(await stored()).toHaveLength(2);
  });

  test("an invalid picture changes and stores nothing", async () => {
    await change(jpeg);
    const before = [await pictureUrl(), await stored()];
    const invalid: [Buffer, string][] = [
      [Buffer.from("GIF89a"), "not-an-image"],
      [Buffer.alloc(0), "not-an-image"],
      [jpeg.subarray(0, 200), "unreadable"],
      [Buffer.concat([jpeg, Buffer.alloc(PICTURE_MAX_BYTES)]), "too-large"],
    ];
    for (const [bytes, reason] of invalid) {
      expect(await change(bytes)).toEqual({ ok: false, reason });
    }
    expect([await pictureUrl(), await stored()]).toEqual(before);
  });

  // spec: 5.13
  test("a picture of exactly five megabytes is accepted", async () => {
    const padded = Buffer.concat([jpeg, Buffer.alloc(PICTURE_MAX_BYTES - jpeg.length)]);
    expect(await change(padded)).toEqual({ ok: true });
  });

  test("where the profile cannot be written, no file is left", async () => {
    await expect(change(jpeg, crypto.randomUUID())).rejects.toThrow("no result");
    expect(await stored()).toEqual([]);
  });

  test("where the storage takes nothing, the profile keeps its picture", async () => {
    await change(jpeg);
    const before = await pictureUrl();
    await storage.takeNothing();
    await expect(change(jpeg)).rejects.toThrow(/ENOTDIR|bucket/);
    expect(await pictureUrl()).toBe(before);
  });

  test("of concurrent pictures one remains, with no other files", async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => change(jpeg)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect((await stored()).map(fileUrl)).toContain(await pictureUrl());
    expect(await stored()).toHaveLength(2);
  });

  test("uploads beyond the queue limit fail as busy", async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => change(jpeg)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(17);
    expect(results).toContainEqual({ ok: false, reason: "busy" });
  });

  test("only files of ours are ever deleted", async () => {
    await change(jpeg);
    const files = openFiles(storage.env);
    await files.store("venues/hall-512.webp", Buffer.from("x"));
    for (const url of [null, "", "https://x.example/a-512.webp", "/files/venues/hall-512.webp"]) {
      await deletePictureFiles(files, url);
    }
    expect(await stored()).toHaveLength(3);
  });
});
