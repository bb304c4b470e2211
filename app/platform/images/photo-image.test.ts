import sharp from "sharp";
import { expect, test } from "vitest";
import { cleanedUploads, invalidUploads, stripes } from "#test/pictures.ts";
import { PHOTO_FORMS, photoFiles } from "./uploaded-images.server.ts";

test("an incomplete picture is rejected", async () => {
  for (const { what, bytes } of await invalidUploads()) {
    expect.soft(await photoFiles(bytes), what).toBeNull();
  }
});

test("only a photo's pixels are kept, whatever its format", async () => {
  const wanted = ["where it was taken", "XMP", "a zip behind it", "CMYK", "transparency", "grey"];
  const uploads = (await cleanedUploads()).filter(({ what }) => wanted.includes(what));
  expect(uploads).toHaveLength(wanted.length);
  for (const { what, bytes, secret } of uploads) {
    const files = (await photoFiles(bytes)) ?? [];
    expect
      .soft(
        files.map(({ width, format }) => ({ width, format })),
        what,
      )
      .toEqual(PHOTO_FORMS);
    for (const file of files) {
      const found = await sharp(file.bytes).metadata();
      const height = file.width === 256 ? 256 : (file.width / 16) * 9;
      expect.soft([found.width, found.height], what).toEqual([file.width, height]);
      expect.soft([found.exif, found.xmp, found.icc], what).toEqual(Array(3));
      expect.soft(found.pages ?? 1, what).toBe(1);
      expect.soft(secret && file.bytes.includes(secret), what).toBeFalsy();
    }
  }
});

test("a photo is upright and shows its middle", async () => {
  // Lies on its side, as phones store what they take upright: the stripes run from top to bottom.
  const landscape = await stripes(320, 90).jpeg({ quality: 100 }).withMetadata({ orientation: 6 });
  const files = (await photoFiles(await landscape.toBuffer())) ?? [];
  for (const { bytes } of files) {
    const { channels } = await sharp(bytes).stats();
    const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean);
    expect(green).toBeGreaterThan(200);
    expect(Math.max(red, blue)).toBeLessThan(30);
  }
  expect(files).toHaveLength(PHOTO_FORMS.length);
});
