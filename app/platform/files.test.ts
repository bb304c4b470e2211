import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STORAGES, type TestStorage } from "#test/storages.ts";
import { fileName, fileUrl, openFiles, readWholeFile } from "./files.server.ts";

/** A bucket of a real server, to be run against by hand (docs/decisions/045-bucket.md). */
const { TEST_S3 } = process.env;
const real = async (): Promise<TestStorage> => {
  const env = { dataDir: "/nowhere", bucket: JSON.parse(TEST_S3!) };
  const names = async () => (await openFiles(env).list()).map(({ name }) => name);
  const nothing = async () => {};
  return { env, names, setAge() {}, takeNothing: nothing, close: nothing };
};
const places = TEST_S3 ? [...STORAGES, { place: "a real bucket", open: real }] : STORAGES;

describe.each(places)("in $place", ({ open }) => {
  let storage: TestStorage;
  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());
  const files = () => openFiles(storage.env);
  const read = async (name: string) => (await readWholeFile(files(), name))?.toString();

  test("a file is stored, read, and gone when it is removed", async () => {
    const name = "avatars/0a1b-512.webp";
    await files().store(name, Buffer.from("picture"));
    const { type, size, body } = (await files().read(name))!;
    await body.cancel();
    expect([await read(name), type, size]).toEqual(["picture", "image/webp", 7]);
    expect(await storage.names()).toEqual([name]);
    await files().remove(name);
    await files().remove(name);
    expect(await files().read(name)).toBeNull();
    expect(await storage.names()).toEqual([]);
  });

  test("a file comes back as what its ending says, byte for byte", async () => {
    const name = "photos/0a1b-480.avif";
    const bytes = Buffer.from(Uint8Array.from({ length: 700_000 }, (_, n) => (n * n) % 251));
    await files().store(name, bytes);
    const found = (await files().read(name))!;
    expect([found.type, found.size]).toEqual(["image/avif", bytes.length]);
    expect(Buffer.from(await new Response(found.body).arrayBuffer()).equals(bytes)).toBe(true);
    await files().remove(name);
  });

  test("a list has every file with its size, or those of before", async () => {
    const names = Array.from({ length: 8 }, (_, n) => `avatars/listed-${n}.webp`);
    for (const name of names) await files().store(name, Buffer.from(name));
    const listed = await files().list();
    expect(listed.map(({ name }) => name).toSorted()).toEqual(names);
    expect(listed.map(({ size }) => size)).toEqual(names.map((name) => name.length));
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    expect(await files().list(hours(-1))).toEqual([]);
    expect(await files().list(hours(1))).toHaveLength(8);
    for (const name of names) await files().remove(name);
  });

  test.each([
    "",
    "avatars",
    "avatars/",
    "../secret.webp",
    "avatars/../../secret.webp",
    "/avatars/twice.webp",
    "avatars//twice.webp",
    "avatars\\twice.webp",
    "avatars/twice.webp\0",
    "avatars/twice.webp\n",
    "avatars/..%2f..%2fsecret.webp",
    "../session-secret",
    "avatars/twice.html",
    "avatars/Twice.webp",
    `avatars/${"a".repeat(200)}.webp/x`,
    `avatars/${"a".repeat(300)}.webp`,
  ])("%j is no file, to read or to write or to remove", async (name) => {
    expect(await files().read(name)).toBeNull();
    await expect(files().store(name, Buffer.from("x"))).rejects.toThrow("no name");
    await files().remove(name);
    expect(await storage.names()).toEqual([]);
  });
});

describe("in a folder", () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "kickabout-files-"));
    for (const name of ["secret.webp", "session-secret"]) {
      await writeFile(path.join(dataDir, name), "secret");
    }
  });
  afterAll(() => rm(dataDir, { recursive: true }));
  const files = () => openFiles({ dataDir, bucket: null });

  test("a stored file is never written over", async () => {
    await files().store("avatars/twice.webp", Buffer.from("first"));
    const again = files().store("avatars/twice.webp", Buffer.from("second"));
    await expect(again).rejects.toThrow("EEXIST");
    expect((await readWholeFile(files(), "avatars/twice.webp"))?.toString()).toBe("first");
    expect(await readdir(path.join(dataDir, "uploads", "avatars"))).toEqual(["twice.webp"]);
  });

  test("nothing outside of it is read or removed", async () => {
    await files().remove("../secret.webp");
    expect(await files().read("../session-secret")).toBeNull();
    expect((await readdir(dataDir)).sort()).toEqual(["secret.webp", "session-secret", "uploads"]);
  });

  test("a file that another process removes while it is looked for is missing, no failure", async () => {
    for (let n = 0; n < 3; n += 1) {
      await files().store("avatars/brief.webp", Buffer.from("x"));
      const reading = files().read("avatars/brief.webp");
      spawnSync("rm", [path.join(dataDir, "uploads", "avatars", "brief.webp")]);
      expect(await reading).toBeNull();
    }
  });

  test("a folder of which something cannot be read is no list", async () => {
    const stuck = path.join(dataDir, "uploads", "avatars", "stuck.webp");
    await symlink("stuck.webp", stuck);
    await expect(files().list()).rejects.toThrow("ELOOP");
    await rm(stuck);
    await symlink("missing.webp", stuck);
    expect((await files().list()).map(({ name }) => name)).toEqual(["avatars/twice.webp"]);
    await rm(stuck);
    const alone = path.join(dataDir, "alone");
    await mkdir(alone);
    const listed = () => openFiles({ dataDir: alone, bucket: null }).list();
    expect(await listed()).toEqual([]);
    await symlink("uploads", path.join(alone, "uploads"));
    await expect(listed()).rejects.toThrow("ELOOP");
    await rm(alone, { recursive: true });
  });

  test("a folder of a file's name is no file", async () => {
    await mkdir(path.join(dataDir, "uploads", "avatars", "stuck-512.webp"), { recursive: true });
    expect(await files().read("avatars/stuck-512.webp")).toBeNull();
  });
});

test("an address leads back to its name, and no other address does", () => {
  expect(fileName(fileUrl("avatars/twice.webp"))).toBe("avatars/twice.webp");
  for (const url of [null, "", "/files/../x.webp", "https://x.example/files/avatars/a.webp"]) {
    expect(fileName(url)).toBeNull();
  }
});
