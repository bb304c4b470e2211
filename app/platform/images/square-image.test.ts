import sharp from "sharp";
import { beforeAll, expect, test, vi } from "vitest";
import { log } from "#app/platform/log.server.ts";
import { cleanedUploads, invalidUploads, stripes } from "#test/pictures.ts";
import { isJpegOrPng, squareWebps } from "./uploaded-images.server.ts";

let invalid: Awaited<ReturnType<typeof invalidUploads>>;
let cleaned: Awaited<ReturnType<typeof cleanedUploads>>;
beforeAll(async () => {
  [invalid, cleaned] = await Promise.all([invalidUploads(), cleanedUploads()]);
});

/** What is in the middle of a picture, as "red", "green" or "blue". */
async function colourOf(webp: Buffer): Promise<string | undefined> {
  const { channels } = await sharp(webp).stats();
  const means = channels.slice(0, 3).map(({ mean }) => mean);
  return ["red", "green", "blue"][means.indexOf(Math.max(...means))];
}

test("an incomplete picture is rejected", async () => {
  expect(invalid.length + cleaned.length).toBeGreaterThan(55);
  for (const { what, bytes } of invalid) {
    expect.soft(await squareWebps(bytes, null, [512]), what).toBeNull();
  }
});

test("an error that is not about the picture is logged", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const picture = await stripes(120, 40).jpeg().toBuffer();
  expect(await squareWebps(picture, null, [128])).toHaveLength(1);
  for (const { bytes } of invalid) await squareWebps(bytes, null, [128]);
  expect(warn).not.toHaveBeenCalled();
  expect(await squareWebps(picture, null, [-1])).toBeNull();
  expect(warn).toHaveBeenCalledOnce();
  warn.mockRestore();
});

test("only a picture's pixels are kept", async () => {
  for (const { what, bytes, secret } of cleaned) {
    const pictures = await squareWebps(bytes, null, [512, 128]);
    expect.soft(pictures, what).toHaveLength(2);
    for (const [index, picture] of (pictures ?? []).entries()) {
      const side = [512, 128][index];
      const found = await sharp(picture).metadata();
      expect.soft(found, what).toMatchObject({ format: "webp", width: side, height: side });
      expect.soft([found.exif, found.xmp, found.icc, found.pages], what).toEqual(Array(4));
      expect.soft(picture.length, what).toBeLessThan(60_000);
      const held = secret ? [bytes.includes(secret), picture.includes(secret)] : [true, false];
      expect.soft(held, what).toEqual([true, false]);
    }
  }
});

test("colours stay what they were, from print and from 16 bits too", async () => {
  for (const { what, bytes } of cleaned) {
    if (!["CMYK", "16 bits", "a palette", "an animation"].includes(what)) continue;
    const [picture] = (await squareWebps(bytes, { x: 5, y: 5, width: 20 }, [128])) ?? [];
    expect.soft(await colourOf(picture!), what).toBe("red");
  }
});

test.each([
  ["the middle, without a crop", null, "green"],
  ["the left", { x: 0, y: 0, width: 30 }, "red"],
  ["the right", { x: 70, y: 40, width: 30 }, "blue"],
  ["beyond the edge: as far as there is something", { x: 100, y: 100, width: 30 }, "blue"],
  ["larger than the picture: its largest square", { x: 0, y: 0, width: 100 }, "red"],
])("%s", async (_, crop, colour) => {
  const bytes = await stripes(120, 40).jpeg().toBuffer();
  const [picture] = (await squareWebps(bytes, crop, [128])) ?? [];
  expect(await colourOf(picture!)).toBe(colour);
});

test("a phone held upright: the crop is meant as the picture is seen", async () => {
  // Turned by a quarter: what lies left in the file is on top.
  const bytes = await stripes(120, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const [top] = (await squareWebps(bytes, { x: 0, y: 0, width: 100 }, [128])) ?? [];
  expect(await colourOf(top!)).toBe("red");
  const [end] = (await squareWebps(bytes, { x: 0, y: 90, width: 100 }, [128])) ?? [];
  expect(await colourOf(end!)).toBe("blue");
});

test("bytes say what a file is", async () => {
  expect(isJpegOrPng(await stripes().jpeg().toBuffer())).toBe(true);
  expect(isJpegOrPng(await stripes().png().toBuffer())).toBe(true);
  expect(isJpegOrPng(await stripes().webp().toBuffer())).toBe(false);
});
