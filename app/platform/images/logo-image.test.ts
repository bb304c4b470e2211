import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { cleanedUploads, invalidUploads, stripes } from "#test/pictures.ts";
import { isImage, logoWebp } from "./uploaded-images.server.ts";

const svg = (inner: string, attributes = 'width="40" height="20"', before = "") =>
  Buffer.from(
    `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`,
  );
const BALL = '<circle cx="10" cy="10" r="9" fill="#c00"/>';
/** Each group draws the one before it ten times over. */
const repeated = (depth: number) =>
  Array.from({ length: depth }, (_, n) => {
    const last = n === 0 ? BALL : `<use xlink:href="#g${n - 1}"/>`.repeat(10);
    return `<g id="g${n}">${last}</g>`;
  }).join("");
const sizeOf = async (webp: Buffer | null) => {
  const { format, width, height } = await sharp(webp!).metadata();
  return [format, width, height];
};

test.each([
  ["jpeg", 800, 200, [512, 128]],
  ["png", 100, 40, [100, 40]],
  ["webp", 200, 800, [128, 512]],
  ["gif", 60, 60, [60, 60]],
  ["avif", 64, 32, [64, 32]],
] as const)("a %s of %i × %i keeps its shape", async (format, width, height, size) => {
  const bytes = await stripes(width, height).toFormat(format).toBuffer();
  expect(isImage(bytes)).toBe(true);
  expect(await sizeOf(await logoWebp(bytes, 512))).toEqual(["webp", ...size]);
});

test("a drawing is drawn as large as it is wanted, and stays transparent", async () => {
  const drawings = [
    svg(BALL),
    svg(BALL, 'viewBox="0 0 40 20"'),
    svg(BALL, 'width="4000" height="2000" viewBox="0 0 40 20"'),
    svg(
      BALL,
      'width="40" height="20"',
      '<?xml version="1.0" encoding="UTF-8"?>\n<!-- a mark -->\n',
    ),
  ];
  for (const drawing of drawings) {
    const logo = await logoWebp(drawing, 512);
    expect(await sizeOf(logo)).toEqual(["webp", 512, 256]);
    const { isOpaque } = await sharp(logo!).stats();
    expect(isOpaque).toBe(false);
  }
});

test("comments before an SVG are skipped in linear time", () => {
  const comments = "<!---->".repeat(570);
  expect(isImage(Buffer.from(`\uFEFF <?xml version="1.0"?>\n${comments} <svg>`))).toBe(true);
  expect(isImage(Buffer.from('<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN">\n<SVG '))).toBe(true);
  const others = [
    comments,
    "<!-- <svg>",
    "<?xml <svg",
    "<!---->x<svg>",
    "<!DOCTYPE svg [<!A>]><svg>",
  ];
  for (const other of others) expect(isImage(Buffer.from(other)), other.slice(0, 20)).toBe(false);
});

test("a drawing may use its own parts, and pixels that lie in it", async () => {
  const pixels = (await stripes(4, 4).png().toBuffer()).toString("base64");
  const inner = `<defs><linearGradient id="a"/></defs><rect width="9" height="9" fill="url(#a)"/>
    <g id="b">${BALL}</g><use xlink:href="#b"/><image width="9" height="9" href="data:image/png;base64,${pixels}"/>`;
  expect(await logoWebp(svg(inner), 512)).not.toBeNull();
});

describe("an SVG with external references is rejected", () => {
  const entity = '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
  test.each([
    ["a file", svg('<image width="9" height="9" xlink:href="file:///etc/passwd"/>')],
    ["a path", svg("<image width='9' height='9' href='../../secret.png'/>")],
    ["another site", svg('<image width="9" height="9" href = "https://evil.example/a.png"/>')],
    ["a site in a style", svg('<rect style="fill:url(https://evil.example/a)" width="9"/>')],
    ["a site in an escaped style", svg('<rect style="fill:url(&quot;//evil.example&quot;)"/>')],
    ["an import", svg("<style>@import 'https://evil.example/a.css';</style>")],
    ["a style sheet", svg(BALL, "", '<?xml-stylesheet href="a.css"?>')],
    ["an entity", svg("<text>&a;</text>", 'width="9" height="9"', entity)],
    ["a program", svg("<script>alert(1)</script>")],
    ["a page", svg('<foreignObject><iframe src="/"/></foreignObject>')],
    ["a text from elsewhere", svg('<xi:include href="/etc/passwd" parse="text"/>')],
    ["a drawing in a drawing", svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>')],
    ["another alphabet", Buffer.from(`\uFEFF${svg(BALL)}`, "utf16le")],
    ["half a megabyte", svg(BALL + " ".repeat(512 * 1024))],
    ["what cannot be drawn", svg("<g>")],
    ["more than 25 megapixels", svg(BALL, 'width="9000" height="9000"')],
    ["a drawing that repeats itself a billion times", svg(repeated(9))],
  ])("%s", async (_, bytes) => {
    expect(await logoWebp(bytes, 512)).toBeNull();
  });
});

test("the most repetitive accepted SVG is drawn quickly", async () => {
  const levels = Array.from({ length: 8 }, (_, n) => {
    const last = n === 0 ? BALL : `<use xlink:href="#g${n - 1}"/>`.repeat(3);
    return `<g id="g${n}">${last}</g>`;
  });
  const start = performance.now();
  expect(await logoWebp(svg(levels.join("")), 512)).not.toBeNull();
  expect(performance.now() - start).toBeLessThan(5_000);
});

test("the renderer itself reads no external file", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-logo-"));
  const secret = path.join(folder, "secret.png");
  writeFileSync(secret, await stripes(40, 20).png().toBuffer());
  const drawing = svg(`<image width="40" height="20" xlink:href="file://${secret}"/>`);
  const { channels } = await sharp(drawing).stats();
  rmSync(folder, { recursive: true });
  expect(channels.map(({ max }) => max)).toEqual([0, 0, 0, 0]);
});

test("an incomplete picture is rejected", async () => {
  const others = ["a GIF", "a WebP", "an AVIF", "an SVG"];
  for (const { what, bytes } of await invalidUploads()) {
    if (others.some((other) => what.startsWith(other))) continue;
    expect.soft(await logoWebp(bytes, 512), what).toBeNull();
  }
});

test("only a picture's pixels are kept", async () => {
  for (const { what, bytes, secret } of await cleanedUploads()) {
    const logo = await logoWebp(bytes, 512);
    expect.soft(logo, what).not.toBeNull();
    const found = await sharp(logo!).metadata();
    expect.soft([found.exif, found.xmp, found.icc, found.pages], what).toEqual(Array(4));
    expect.soft(secret ? logo!.includes(secret) : false, what).toBe(false);
  }
});

test.each(["", "<html></html>", "%PDF-1.7", "not <svg>"])("%j is no image", (text) => {
  expect(isImage(Buffer.from(text))).toBe(false);
});
