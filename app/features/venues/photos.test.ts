import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { stripes } from "#test/pictures.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { aVenue } from "#test/fixtures.ts";
import { PHOTO_FORMS } from "#app/platform/images/uploaded-images.server.ts";
import { addPhotos, type SentPhoto, arrangePhotos } from "./photos.server.ts";
import { findAdminVenue } from "./admin-venues.server.ts";

const database = useDatabase(12);
const actor = "an-admin";
let good: SentPhoto;
let dataDir: string;
beforeAll(async () => {
  // How well a photo is packed plays no part here, and takes most of the time.
  const { avif } = sharp.prototype;
  vi.spyOn(sharp.prototype, "avif").mockImplementation(function pack(this: Sharp) {
    return avif.call(this, { effort: 0 });
  });
  good = sent("good.jpg", await stripes(64, 36).jpeg().toBuffer());
});
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "kickabout-photos-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function sent(name: string, bytes: Buffer, size = bytes.length): SentPhoto {
  return { name, size, read: async () => bytes };
}
const add = (venueId: string, photos: SentPhoto[]) =>
  addPhotos(
    { db: database.db, files: openFiles({ dataDir, bucket: null }) },
    { venueId, sent: photos, actor },
  );
const find = async (venueId: string) => (await findAdminVenue(database.db, venueId))!;
const urlsOf = async (venueId: string) => (await find(venueId)).photos.map(({ url }) => url);
const files = () =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const entries = (venueId: string) =>
  database.db.selectFrom("audit_log").selectAll().where("subject", "=", venueId).execute();
async function arrange(venueId: string, photos: { url: string; alt: string }[], version?: number) {
  const of = version ?? (await find(venueId)).version;
  return arrangePhotos(
    { db: database.db, files: openFiles({ dataDir, bucket: null }) },
    { venueId, version: of, photos, actor },
  );
}

/** A venue with photos that nobody has uploaded. */
const withPhotos = (count: number) =>
  aVenue(database.db, {
    photo_urls: Array.from({ length: count }, (_, index) => `/photos/hall-${index}-800.webp`),
    photo_alts: Array.from({ length: count }, (_, index) => `Photo ${index}`),
  });

test("of several files the valid ones are kept and the others are reported", async () => {
  const venueId = await withPhotos(1);
  const jpeg = await good.read();
  const result = await add(venueId, [
    sent("words.jpg", Buffer.from("hello")),
    good,
    sent("half.jpg", jpeg.subarray(0, jpeg.length / 2)),
    sent("large.jpg", jpeg, 10 * 1024 * 1024 + 1),
    good,
  ]);
  expect(result).toEqual({
    ok: true,
    added: 2,
    rejected: [
      { name: "words.jpg", reason: "not-an-image" },
      { name: "half.jpg", reason: "unreadable" },
      { name: "large.jpg", reason: "too-large" },
    ],
  });
  const { photos } = await find(venueId);
  expect(photos.map(({ alt }) => alt)).toEqual(["Photo 0", "", ""]);
  const urls = photos.slice(1).map(({ url }) => url);
  for (const url of urls) expect(url).toMatch(/^\/files\/photos\/[0-9a-f]{32}-800\.webp$/);
  expect(files()).toHaveLength(2 * PHOTO_FORMS.length);
  expect(await entries(venueId)).toHaveLength(1);
});

test("a venue has at most twelve photos, also with concurrent uploads", async () => {
  const venueId = await withPhotos(10);
  const results = await Promise.all([add(venueId, [good, good]), add(venueId, [good, good])]);
  const added = results.map((result) => (result.ok ? result.added : 0));
  expect(added.toSorted()).toEqual([0, 2]);
  expect(results.flatMap((result) => (result.ok ? result.rejected : []))).toEqual([
    { name: "good.jpg", reason: "too-many" },
    { name: "good.jpg", reason: "too-many" },
  ]);
  expect(await urlsOf(venueId)).toHaveLength(12);
  expect(files()).toHaveLength(2 * PHOTO_FORMS.length);
});

test("nothing is stored for a missing venue", async () => {
  const result = await add("00000000-0000-4000-8000-000000000000", [good]);
  expect(result).toEqual({ ok: false, reason: "gone" });
  expect(files()).toEqual([]);
});

test("photos are ordered, described and removed with their files", async () => {
  const venueId = await withPhotos(1);
  await add(venueId, [good, good]);
  const [old, first, second] = await urlsOf(venueId);
  const photos = [
    { url: second!, alt: "The goal" },
    { url: old!, alt: "The hall" },
  ];
  expect(await arrange(venueId, photos)).toEqual({ ok: true });
  expect((await find(venueId)).photos).toEqual(photos);
  const id = (url: string) => /[0-9a-f]{32}/.exec(url)![0];
  expect(files()).toHaveLength(PHOTO_FORMS.length);
  expect(files().every((name) => name.startsWith(id(second!)))).toBe(true);
  expect(files().some((name) => name.startsWith(id(first!)))).toBe(false);
  const [, entry] = await entries(venueId);
  expect(entry).toMatchObject({ actor, action: "venue.arrange-photos" });
  expect(entry?.details).toMatchObject({ after: { photos } });
});

test("a photo that another venue names keeps its files", async () => {
  const venueId = await aVenue(database.db);
  await add(venueId, [good]);
  const photo_urls = await urlsOf(venueId);
  const other = await aVenue(database.db, { photo_urls });
  await arrange(venueId, []);
  expect(files()).toHaveLength(PHOTO_FORMS.length);
  await arrange(other, []);
  expect(files()).toEqual([]);
});

test("arranging photos that have changed since is a conflict that loses nothing", async () => {
  const venueId = await withPhotos(3);
  const { photos, version } = await find(venueId);
  const described = photos.map(({ url }) => ({ url, alt: "The hall" }));
  expect(await arrange(venueId, described, version)).toEqual({ ok: true });
  const current = await find(venueId);
  for (const late of [photos.toReversed(), photos.slice(1)]) {
    const result = await arrange(venueId, late, version);
    expect(result).toEqual({ ok: false, reason: "changed", current });
  }
  // A photo that the venue does not have cannot be put there.
  const foreign = [...current.photos, { url: "/photos/foreign-800.webp", alt: "" }];
  expect(await arrange(venueId, foreign)).toMatchObject({ reason: "changed" });
  expect(await find(venueId)).toEqual(current);
});

test("an edit by SQL that left too few descriptions does no harm", async () => {
  const venueId = await aVenue(database.db, {
    photo_urls: ["/a.webp", "/b.webp"],
    photo_alts: ["A"],
  });
  expect((await find(venueId)).photos[1]).toEqual({ url: "/b.webp", alt: "" });
  await add(venueId, [good]);
  const row = database.db.selectFrom("venues").select("photo_alts").where("id", "=", venueId);
  expect((await row.executeTakeFirstOrThrow()).photo_alts).toEqual(["A", "", ""]);
});
