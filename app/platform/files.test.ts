import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fileName, fileUrl, readStoredFile, removeFile, storeFile } from "./files.server.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "kickabout-files-"));
  await writeFile(path.join(dataDir, "secret.webp"), "secret");
  await writeFile(path.join(dataDir, "session-secret"), "secret");
});
afterAll(() => rm(dataDir, { recursive: true }));

test("a file is stored, read, and gone when it is removed", async () => {
  const name = "avatars/0a1b-512.webp";
  await storeFile(dataDir, name, Buffer.from("picture"));
  const found = await readStoredFile(dataDir, name);
  expect([found?.bytes.toString(), found?.type]).toEqual(["picture", "image/webp"]);
  expect(await readdir(path.join(dataDir, "uploads", "avatars"))).toEqual(["0a1b-512.webp"]);
  await removeFile(dataDir, name);
  await removeFile(dataDir, name);
  expect(await readStoredFile(dataDir, name)).toBeNull();
});

test("a file comes back as what its ending says", async () => {
  await storeFile(dataDir, "photos/0a1b-480.avif", Buffer.from("picture"));
  expect((await readStoredFile(dataDir, "photos/0a1b-480.avif"))?.type).toBe("image/avif");
});

test("a stored file is never written over", async () => {
  await storeFile(dataDir, "avatars/twice.webp", Buffer.from("first"));
  await expect(storeFile(dataDir, "avatars/twice.webp", Buffer.from("second"))).rejects.toThrow(
    "EEXIST",
  );
  expect((await readStoredFile(dataDir, "avatars/twice.webp"))?.bytes.toString()).toBe("first");
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
])("%j is no file, to read or to write or to remove", async (name) => {
  expect(await readStoredFile(dataDir, name)).toBeNull();
  await expect(storeFile(dataDir, name, Buffer.from("x"))).rejects.toThrow("no name");
  await removeFile(dataDir, name);
  expect((await readdir(dataDir)).sort()).toEqual(["secret.webp", "session-secret", "uploads"]);
});

test("a name that is too long for the disk is no file either", async () => {
  expect(await readStoredFile(dataDir, `avatars/${"a".repeat(300)}.webp`)).toBeNull();
});

test("an address leads back to its name, and no other address does", () => {
  expect(fileName(fileUrl("avatars/twice.webp"))).toBe("avatars/twice.webp");
  for (const url of [null, "", "/files/../x.webp", "https://x.example/files/avatars/a.webp"]) {
    expect(fileName(url)).toBeNull();
  }
});
