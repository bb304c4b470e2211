import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createElement } from "react";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openFiles } from "#app/platform/files.server.ts";
import {
  deletePictures,
  type Picture,
  pictureKey,
  readOwnPicture,
  renderPicture,
  squareDataUrl,
} from "./drawn-pictures.server.ts";

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-data-"));
});
afterAll(() => rmSync(dataDir, { recursive: true }));

let drawn = 0;
function picture(text: string, more: Partial<Picture> = {}): Picture {
  const style = { color: "#fff", background: "#000", width: "100%", height: "100%" };
  const draw = async () => {
    drawn += 1;
    return createElement("div", { style: { ...style, display: "flex", fontSize: 40 } }, text);
  };
  return { width: 200, height: 100, facts: text, draw, ...more };
}

test("is a PNG of its size, with what was drawn", async () => {
  const png = await renderPicture(dataDir, picture("Ada"));
  const { format, width, height } = await sharp(png!).metadata();
  expect([format, width, height]).toEqual(["png", 200, 100]);
  const { channels } = await sharp(png!).stats();
  expect(channels[0]).toMatchObject({ min: 0, max: 255 });
});

test("is rendered once for all who ask at the same time, and kept", async () => {
  const before = drawn;
  const asked = Array.from({ length: 20 }, () => renderPicture(dataDir, picture("Once")));
  const pngs = await Promise.all(asked);
  expect(drawn - before).toBe(1);
  for (const png of pngs) expect(png).toEqual(pngs[0]);
  expect(await renderPicture(dataDir, picture("Once"))).toEqual(pngs[0]);
  expect(drawn - before).toBe(1);
  const kept = `${pictureKey(picture("Once"))}.png`;
  const folder = path.join(dataDir, "cache", "pictures");
  await vi.waitFor(() => expect(readdirSync(folder)).toContain(kept));
});

test("an owner's pictures are deleted, also one being drawn", async () => {
  const folder = path.join(dataDir, "cache", "pictures");
  const of = (owner: string, text: string) => renderPicture(dataDir, picture(text, { owner }));
  await Promise.all([of("ada", "1"), of("ada", "2"), of("adam", "1")]);
  await vi.waitFor(() => {
    const kept = readdirSync(folder).filter((name) => /^ada.*png$/.test(name));
    expect(kept).toHaveLength(3);
  });
  const late = of("ada", "3");
  await Promise.resolve();
  await deletePictures(dataDir, "ada");
  await late;
  await vi.waitFor(() => expect(drawnNames(folder, "ada.")).toEqual([]));
  expect(drawnNames(folder, "adam.")).toHaveLength(1);
  await deletePictures(path.join(dataDir, "nowhere"), "ada");
});

const drawnNames = (folder: string, start: string) =>
  readdirSync(folder).filter((name) => name.startsWith(start));

test("other facts or another size make another picture", () => {
  const keys = [picture("a"), picture("b"), picture("a", { width: 201 })].map(pictureKey);
  expect(new Set(keys).size).toBe(3);
  expect(pictureKey(picture("a"))).toBe(keys[0]);
});

test("a failed drawing does not block the next try", async () => {
  const broken = picture("Broken", { draw: () => Promise.reject(new Error("no drawing")) });
  await expect(renderPicture(dataDir, broken)).rejects.toThrow("no drawing");
  expect(await renderPicture(dataDir, picture("Broken"))).toBeInstanceOf(Buffer);
});

test("a crowd that would wait too long is turned away, and nothing is lost after it", async () => {
  const crowd = Array.from({ length: 24 }, (_, n) => renderPicture(dataDir, picture(`n${n}`)));
  const results = await Promise.all(crowd);
  const busy = results.filter((png) => png === "busy").length;
  expect(busy).toBeGreaterThan(0);
  expect(busy).toBeLessThanOrEqual(7);
  expect(await renderPicture(dataDir, picture("n23"))).toBeInstanceOf(Buffer);
});

test("what lies under a drawing shows through", async () => {
  const red = { create: { width: 10, height: 10, channels: 3, background: "#f00" } } as const;
  const file = () => sharp(red).png().toBuffer();
  const draw = async (ground: Buffer | null) =>
    createElement("div", { style: {} }, String(ground !== null));
  const png = await renderPicture(dataDir, picture("Ground", { file, isGround: true, draw }));
  const { dominant } = await sharp(png!).stats();
  expect(dominant.r).toBeGreaterThan(200);
  expect(dominant.b).toBeLessThan(50);
});

describe("a picture of this site", () => {
  test("is read by its address", async () => {
    const file = await readOwnPicture(
      openFiles({ dataDir, bucket: null }),
      "/photos/toolo-cage-1-480.webp",
    );
    expect((await sharp(file!).metadata()).width).toBe(480);
  });

  test.each([
    "https://elsewhere.example/x.webp",
    "//elsewhere.example/photos/x.webp",
    "/photos/../../package.json",
    "/photos/..%2f..%2fpackage.json",
    "/photos/nothing.webp",
    "/files/../secrets.webp",
    "/files/avatars/nobody.webp",
    "file:///etc/passwd",
    "",
  ])("%j is none", async (url) => {
    expect(await readOwnPicture(openFiles({ dataDir, bucket: null }), url)).toBeNull();
  });

  test("what is no image is left out", async () => {
    expect(await squareDataUrl(Buffer.from("<svg"), 10)).toBeNull();
    expect(await squareDataUrl(Buffer.alloc(0), 10)).toBeNull();
  });
});
