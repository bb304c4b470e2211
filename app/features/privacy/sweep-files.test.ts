import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, useDatabase } from "#test/db.ts";
import { ada, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { openTestFolder, STORAGES, type TestStorage } from "#test/storages.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { readMark, setMark } from "#app/platform/upload-owner.server.ts";
import { sweepFiles } from "./sweep-files.server.ts";

const [database, other] = [useDatabase(), useDatabase()];

const claim = async ({ env }: TestStorage, { db }: TestDatabase) =>
  openFiles(env).claim(await readMark(db));

describe.each(STORAGES)("in $place", ({ open }) => {
  let storage: TestStorage;
  beforeEach(async () => {
    storage = await open();
    await claim(storage, database);
  });
  afterEach(() => storage.close());

  const sweep = () => sweepFiles(database.db, openFiles(storage.env), NOW);
  const left = async () => (await storage.names()).map((name) => path.basename(name)).toSorted();

  /** A stored file of so many hours ago. */
  async function stored(name: string, hoursAgo: number) {
    await openFiles(storage.env).store(name, Buffer.from("picture"));
    storage.setAge(name, hoursLater(-hoursAgo));
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
    expect(await left()).toEqual(["face-128.webp", "face-512.webp", "young-512.webp"]);
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
    expect(await left()).toEqual(["two-512.webp"]);
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
    expect(await left()).toEqual(["hall.webp", "logo-256.webp"]);
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
    expect((await left()).filter((name) => /^2c3d/.test(name))).toEqual([]);
    expect((await left()).filter((name) => /^0a1b/.test(name))).toHaveLength(4);
  });

  test("nothing is deleted where the database names no file at all", async () => {
    await database.db.updateTable("profiles").set({ profile_picture_url: null }).execute();
    await database.db.deleteFrom("partners").execute();
    await database.db.updateTable("venues").set({ photo_urls: [] }).execute();
    await stored("avatars/face-512.webp", 48);
    expect(await sweep()).toBe(0);
    expect(await left()).toEqual(["face-512.webp"]);
  });

  test("an empty storage is fine", async () => {
    expect(await sweep()).toBe(0);
  });
});

describe.each(STORAGES)("of two databases at one place, in $place,", ({ open }) => {
  let storage: TestStorage;
  beforeEach(async () => {
    storage = await open();
    await setMark(other.db, null);
    await aVenue(database.db, { photo_urls: ["/files/venues/ours.webp"], photo_alts: [""] });
    await aVenue(other.db, { photo_urls: ["/files/venues/theirs.webp"], photo_alts: [""] });
    for (const name of ["ours", "theirs", "lost"]) {
      await openFiles(storage.env).store(`venues/${name}.webp`, Buffer.from("picture"));
      storage.setAge(`venues/${name}.webp`, hoursLater(-48));
    }
  });
  afterEach(() => storage.close());
  const sweep = ({ db }: TestDatabase) => sweepFiles(db, openFiles(storage.env), NOW);

  test("the one without the mark deletes nothing, and says so", async () => {
    await claim(storage, other);
    await expect(sweep(database)).rejects.toThrow(/another database's.*owner\.txt/);
    expect(await storage.names()).toHaveLength(3);
  });

  test("the first sets its mark and deletes from its next time on, the other never", async () => {
    expect(await sweep(database)).toBe(0);
    expect(await storage.names()).toHaveLength(3);
    await expect(sweep(other)).rejects.toThrow(/another database's/);
    expect(await sweep(database)).toBe(2);
  });

  test("of several that set their mark at once one deletes, also where two are of one database", async () => {
    const all = [database, other, database];
    await Promise.all(all.map((each) => claim(storage, each)));
    const [first, second, third] = await Promise.allSettled(all.map(sweep));
    expect(third!.status).toBe(first!.status);
    expect(second!.status).not.toBe(first!.status);
    expect(await storage.names()).toHaveLength(1);
  });

  test("one that names no file does not set its mark on another's files", async () => {
    await other.db.updateTable("venues").set({ photo_urls: [] }).execute();
    expect(await sweep(other)).toBe(0);
    expect(await openFiles(storage.env).findOwner()).toBeNull();
  });
});

describe("in a folder", () => {
  let storage: TestStorage;
  let uploads: string;
  beforeEach(async () => {
    storage = await openTestFolder();
    await claim(storage, database);
    uploads = path.join(storage.env.dataDir, "uploads");
  });
  afterEach(() => storage.close());
  const sweep = () => sweepFiles(database.db, openFiles(storage.env), NOW);
  const age = (file: string) => utimesSync(file, hoursLater(-99), hoursLater(-99));

  test("a file that cannot be deleted does not block the next ones", async () => {
    const partner = { logo_url: "/files/partners/logo-256.webp" };
    await database.db.insertInto("partners").values(partner).execute();
    // A folder is no file that could be deleted.
    for (const name of ["before-512", "stuck-512", "zz-512"]) {
      const file = path.join(uploads, "avatars", `${name}.webp`);
      if (name.startsWith("stuck")) mkdirSync(file, { recursive: true });
      else await openFiles(storage.env).store(`avatars/${name}.webp`, Buffer.from("picture"));
      age(file);
    }
    expect(await sweep()).toBe(2);
    expect(readdirSync(path.join(uploads, "avatars"))).toEqual(["stuck-512.webp"]);
  });

  test("files with foreign names stay", async () => {
    writeFileSync(path.join(uploads, ".keep"), "");
    age(path.join(uploads, ".keep"));
    expect(await sweep()).toBe(0);
    expect(readdirSync(uploads)).toEqual([".keep", "owner.txt"]);
  });
});

test("no other column holds an address of a picture", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name ~ 'url|image|photo|picture|logo|file'
     order by 1`,
  );
  // A new one that names stored files belongs in sweep-files.server.ts too.
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
