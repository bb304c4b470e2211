import { crc32, deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";

/** A file that somebody may upload as a picture. */
interface Upload {
  what: string;
  bytes: Buffer;
}

/** A picture of stripes, so that a crop is recognised by its colour: red, green, blue, from the left. */
export function stripes(width = 120, height = 60) {
  const third = Math.round(width / 3);
  const stripe = (background: string, left: number) => ({
    input: { create: { width: third, height, channels: 3 as const, background } },
    left,
    top: 0,
  });
  return sharp({ create: { width, height, channels: 3, background: "#0000ff" } }).composite([
    stripe("#ff0000", 0),
    stripe("#00ff00", third),
  ]);
}

// Test files share their processes, and packing the largest takes longer than a test.
let invalid: Promise<Upload[]> | undefined;
let cleaned: Promise<CleanedUpload[]> | undefined;

/** Files that are no picture of ours, whatever they are called. */
export const invalidUploads = () => (invalid ??= makeInvalid());

/** Pictures with something in or behind them that must not come out again. */
export const cleanedUploads = () => (cleaned ??= makeCleaned());

type CleanedUpload = Upload & { secret?: string };

async function makeInvalid(): Promise<Upload[]> {
  const [jpeg, png] = await Promise.all([
    noise().jpeg().toBuffer(),
    noise().png({ compressionLevel: 0 }).toBuffer(),
  ]);
  const text = (words: string) => Buffer.from(words);
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  return [
    { what: "nothing", bytes: Buffer.alloc(0) },
    { what: "a single byte", bytes: Buffer.from([0xff]) },
    { what: "words", bytes: text("hello") },
    { what: "an SVG", bytes: text('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    { what: "an SVG with a script", bytes: text(script) },
    { what: "an SVG behind a declaration", bytes: text(`<?xml version="1.0"?>${script}`) },
    { what: "a page", bytes: text("<!doctype html><script>alert(1)</script>") },
    { what: "a GIF", bytes: await stripes().gif().toBuffer() },
    { what: "a GIF that is a script", bytes: text("GIF89a/*\u0001\u0000*/=1;alert(1)//") },
    { what: "a WebP", bytes: await stripes().webp().toBuffer() },
    { what: "a TIFF", bytes: await stripes().tiff().toBuffer() },
    { what: "an AVIF", bytes: await stripes(32, 32).avif({ effort: 0 }).toBuffer() },
    { what: "a bitmap", bytes: Buffer.concat([text("BM"), Buffer.alloc(64)]) },
    { what: "a zip", bytes: Buffer.concat([text("PK\u0003\u0004"), Buffer.alloc(64)]) },
    { what: "a PDF", bytes: text("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj") },
    { what: "a film", bytes: Buffer.concat([Buffer.alloc(4), text("ftypisom"), png]) },
    { what: "a program", bytes: Buffer.concat([text("\u007fELF"), Buffer.alloc(64)]) },
    { what: "a PNG behind a space", bytes: Buffer.concat([text(" "), png]) },
    { what: "the beginning of a JPEG", bytes: jpeg.subarray(0, 4) },
    { what: "the beginning of a PNG", bytes: png.subarray(0, 8) },
    { what: "half a JPEG", bytes: jpeg.subarray(0, jpeg.length / 2) },
    { what: "half a PNG", bytes: png.subarray(0, png.length / 2) },
    { what: "a JPEG of noise", bytes: Buffer.concat([jpeg.subarray(0, 3), noiseBytes(2_000)]) },
    { what: "a PNG of noise", bytes: Buffer.concat([png.subarray(0, 8), noiseBytes(2_000)]) },
    { what: "a PNG without size", bytes: bombPng(0, 0) },
    { what: "a PNG as large as can be", bytes: withSize(png, 0x7fffffff, 0x7fffffff) },
    { what: "a JPEG as large as can be", bytes: withJpegSize(jpeg, 65_500) },
    { what: "a PNG of 900 megapixels", bytes: bombPng(30_000, 30_000) },
    { what: "a PNG of 400 megapixels", bytes: bombPng(20_000, 20_000) },
    { what: "a PNG just too large", bytes: bombPng(5_001, 5_000) },
    { what: "a PDF before a JPEG", bytes: Buffer.concat([text("%PDF-1.7\n"), jpeg]) },
    { what: "a zip before a PNG", bytes: Buffer.concat([text("PK\u0003\u0004"), png]) },
    { what: "a script before a JPEG", bytes: Buffer.concat([text("/*"), jpeg, text("*/")]) },
    { what: "a PNG that ends in the header", bytes: png.subarray(0, 25) },
    { what: "a PNG with a wrong sum", bytes: spoiled(png, 30) },
    { what: "a bomb in a bomb", bytes: gzipSync(gzipSync(bombPng(20_000, 20_000))) },
    { what: "a HEIC", bytes: Buffer.concat([Buffer.alloc(4), text("ftypheic"), Buffer.alloc(64)]) },
  ];
}

async function makeCleaned(): Promise<CleanedUpload[]> {
  const secret = "Otakaari 1, door code 1234";
  const jpeg = await stripes().jpeg().toBuffer();
  const png = await stripes().png().toBuffer();
  const behind = (bytes: Buffer, words: string) => Buffer.concat([bytes, Buffer.from(words)]);
  const gps = { GPSLatitudeRef: "N", GPSLatitude: "60/1 11/1 0/1", GPSAreaInformation: secret };
  const exif = { IFD0: { Artist: secret }, IFD3: gps };
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`;
  return [
    { what: "where it was taken", bytes: await stripes().withExif(exif).jpeg().toBuffer(), secret },
    { what: "a PNG's Exif", bytes: await stripes().withExif(exif).png().toBuffer(), secret },
    { what: "XMP", bytes: await stripes().withXmp(xmp).jpeg().toBuffer(), secret },
    { what: "a zip behind it", bytes: behind(jpeg, `PK\u0003\u0004${secret}`), secret },
    { what: "a script behind it", bytes: behind(png, `<script>${secret}</script>`), secret },
    { what: "words in a PNG", bytes: withChunk(png, "tEXt", Buffer.from(secret)), secret },
    { what: "a PDF in a JPEG", bytes: commented(jpeg, `%PDF-1.7 1 0 obj ${secret}`), secret },
    { what: "words before the end", bytes: withChunk(png, "zTXt", packed(secret)) },
    { what: "XMP in a PNG", bytes: withChunk(png, "iTXt", Buffer.from(PNG_XMP + xmp)), secret },
    { what: "a chunk that unpacks to 64 MB", bytes: withChunk(png, "zTXt", packed(BOMB)) },
    { what: "a colour profile", bytes: await stripes().withIccProfile("p3").jpeg().toBuffer() },
    { what: "a second picture behind it", bytes: Buffer.concat([jpeg, png]) },
    { what: "an animation", bytes: animated(png) },
    { what: "CMYK", bytes: await stripes().toColourspace("cmyk").jpeg().toBuffer() },
    { what: "16 bits", bytes: await stripes().toColourspace("rgb16").png().toBuffer() },
    { what: "a palette", bytes: await stripes().png({ palette: true }).toBuffer() },
    { what: "transparency", bytes: await stripes().ensureAlpha(0.5).png().toBuffer() },
    { what: "grey", bytes: await stripes().greyscale().jpeg().toBuffer() },
    { what: "interlacing", bytes: await stripes().png({ progressive: true }).toBuffer() },
    { what: "a progressive JPEG", bytes: await stripes().jpeg({ progressive: true }).toBuffer() },
    { what: "a single pixel", bytes: await stripes(3, 1).extract(PIXEL).png().toBuffer() },
    { what: "the shape of a ruler", bytes: await stripes(6_000, 2).png().toBuffer() },
  ];
}

const PNG_XMP = "XML:com.adobe.xmp\0\0\0\0\0";
const BOMB = "0".repeat(64 * 1024 * 1024);

/** A word and what it stands for, as PNG packs it. */
function packed(words: string): Buffer {
  return Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(words, { level: 1 })]);
}

/** Puts a comment behind the first two bytes of a JPEG. */
function commented(jpeg: Buffer, words: string): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(words.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(words), jpeg.subarray(2)]);
}

function spoiled(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 0xff;
  return copy;
}

const PIXEL = { left: 0, top: 0, width: 1, height: 1 };

/** A picture that does not compress, so that half of its file is half of its pixels. */
function noise() {
  return sharp(noiseBytes(96 * 96 * 3), { raw: { width: 96, height: 96, channels: 3 } });
}

function noiseBytes(length: number): Buffer {
  let state = 7;
  return Buffer.from(
    Array.from({ length }, () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 24),
  );
}

/** Black, in one bit a pixel: 900 megapixels are a file of 490 KB. */
function bombPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc(height * (Math.ceil(width / 8) + 1)), { level: 1 });
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function withSize(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29));
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([png.subarray(0, 8), chunk("IHDR", header), png.subarray(33)]);
}

/** The frame header of a JPEG says its height and width. */
function withJpegSize(jpeg: Buffer, side: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
  copy.writeUInt16BE(side, frame + 5);
  copy.writeUInt16BE(side, frame + 7);
  return copy;
}

/** Says of a PNG that it has two frames; the second is the first again. */
function animated(png: Buffer): Buffer {
  const frame = (turn: number) => {
    const control = Buffer.alloc(26);
    control.writeUInt32BE(turn, 0);
    png.copy(control, 4, 16, 24);
    control.writeUInt16BE(1, 20);
    control.writeUInt16BE(10, 22);
    return control;
  };
  const head = Buffer.concat([
    chunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
    chunk("fcTL", frame(0)),
  ]);
  const length = png.readUInt32BE(png.indexOf("IDAT") - 4);
  const pixels = png.subarray(png.indexOf("IDAT") + 4, png.indexOf("IDAT") + 4 + length);
  const tail = Buffer.concat([
    chunk("fcTL", frame(1)),
    chunk("fdAT", Buffer.concat([Buffer.from([0, 0, 0, 2]), pixels])),
  ]);
  const end = png.indexOf("IEND") - 4;
  return Buffer.concat([png.subarray(0, 33), head, png.subarray(33, end), tail, png.subarray(end)]);
}

function withChunk(png: Buffer, name: string, bytes: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, 33), chunk(name, bytes), png.subarray(33)]);
}

function chunk(name: string, bytes: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), bytes]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(bytes.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
