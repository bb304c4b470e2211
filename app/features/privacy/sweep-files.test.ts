import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { storeFile } from "#app/platform/files.server.ts";
import { sweepFiles } from "./jobs.server.ts";

const database = useDatabase();
let dataDir: string;
let uploads: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "kickabout-sweep-"));
  uploads = path.join(dataDir, "uploads");
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const sweep = () => sweepFiles(database.db, dataDir, NOW);
const left = () =>
  readdirSync(uploads, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();

/** A stored file of so many hours ago. */
async function stored(name: string, hoursAgo: number) {
  await storeFile(dataDir, name, Buffer.from("picture"));
  utimesSync(path.join(uploads, name), hoursLater(-hoursAgo), hoursLater(-hoursAgo));
}

test("a file without a row is deleted after a day, in all sizes", async () => {
  const userId = await ada(database.db);
  await database.db
    .updateTable("profiles")
    .set({ profile_picture_url: "/files/avatars/face-512.webp" })
    .where("user_id", "=", userId)
    .execute();
  for (const name of ["face-512", "face-128", "lost-512", "lost-128"]) {
    await stored(`avatars/${name}.webp`, 25);
  }
  await stored("avatars/young-512.webp", 23);
  expect(await sweep()).toBe(2);
  expect(left()).toEqual(["face-128.webp", "face-512.webp", "young-512.webp"]);
  expect(await sweep()).toBe(0);
});

test("a replaced picture that was left over is deleted, the current one is not", async () => {
  const userId = await ada(database.db);
  const name = (url: string) =>
    database.db
      .updateTable("profiles")
      .set({ profile_picture_url: url })
      .where("user_id", "=", userId)
      .execute();
  for (const id of ["one", "two"]) await stored(`avatars/${id}-512.webp`, 48);
  await name("/files/avatars/one-512.webp");
  await name("/files/avatars/two-512.webp");
  expect(await sweep()).toBe(1);
  expect(left()).toEqual(["two-512.webp"]);
});

test("logos of partners and photos of venues are named too", async () => {
  await database.db
    .insertInto("partners")
    .values({ logo_url: "/files/partners/logo-256.webp" })
    .execute();
  const photos = ["/photos/hall.webp", "/files/venues/hall.webp"];
  await aVenue(database.db, { photo_urls: photos, photo_alts: ["", ""] });
  for (const name of ["partners/logo-256", "venues/hall", "venues/lost"]) {
    await stored(`${name}.webp`, 48);
  }
  expect(await sweep()).toBe(1);
  expect(left()).toEqual(["hall.webp", "logo-256.webp"]);
});

test("a photo is kept or goes in every width and format", async () => {
  const photos = ["/files/photos/0a1b-800.webp"];
  await aVenue(database.db, { photo_urls: photos, photo_alts: [""] });
  for (const photo of ["0a1b", "2c3d"]) {
    for (const form of ["480.avif", "480.webp", "1280.avif", "1280.webp"]) {
      await stored(`photos/${photo}-${form}`, 48);
    }
  }
  expect(await sweep()).toBe(4);
  expect(left().filter((name) => /^2c3d/.test(name))).toEqual([]);
  expect(left().filter((name) => /^0a1b/.test(name))).toHaveLength(4);
});

test("nothing is deleted where the database names no file at all", async () => {
  await database.db.updateTable("profiles").set({ profile_picture_url: null }).execute();
  await database.db.deleteFrom("partners").execute();
  await database.db.updateTable("venues").set({ photo_urls: [] }).execute();
  await stored("avatars/face-512.webp", 48);
  expect(await sweep()).toBe(0);
  expect(left()).toEqual(["face-512.webp"]);
});

test("a file that cannot be deleted does not block the next ones", async () => {
  const partner = { logo_url: "/files/partners/logo-256.webp" };
  await database.db.insertInto("partners").values(partner).execute();
  await stored("avatars/before-512.webp", 48);
  await stored("avatars/zz-512.webp", 48);
  // A folder is no file that could be deleted.
  const stuck = path.join(uploads, "avatars", "stuck-512.webp");
  mkdirSync(stuck);
  utimesSync(stuck, hoursLater(-48), hoursLater(-48));
  expect(await sweep()).toBe(2);
  expect(left()).toEqual([]);
});

test("files with foreign names stay, and an empty folder is fine", async () => {
  expect(await sweep()).toBe(0);
  mkdirSync(uploads);
  writeFileSync(path.join(uploads, ".keep"), "");
  utimesSync(path.join(uploads, ".keep"), hoursLater(-99), hoursLater(-99));
  expect(await sweep()).toBe(0);
  expect(left()).toEqual([".keep"]);
});

test("no other column holds an address of a picture", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name ~ 'url|image|photo|picture|logo|file'
     order by 1`,
  );
  // A new one that names stored files belongs into jobs.server.ts too.
  expect(rows.map(({ name }) => name)).toEqual([
    "partners.logo_url",
    "partners.website_url",
    "profiles.profile_picture_url",
    "users.image",
    "venues.maps_url",
    "venues.photo_alts",
    "venues.photo_urls",
  ]);
});
