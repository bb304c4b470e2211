import sharp, { type Metadata, type OutputInfo, type Sharp, type SharpOptions } from "sharp";
import { log } from "#app/platform/log.server.ts";
import { BusyError, createFairQueue, type Requester } from "#app/platform/fair-queue.server.ts";

type Format = "jpeg" | "png" | "gif" | "webp" | "avif" | "svg";

/** Percent of the upright picture; the side is relative to its width. */
export interface SquareCrop {
  x: number;
  y: number;
  width: number;
}

export interface PhotoFile {
  width: number;
  format: "avif" | "webp";
  bytes: Buffer;
}

const OPTIONS: SharpOptions = {
  // Checked before decoding: a file of a few bytes can claim any size.
  limitInputPixels: 25_000_000,
  failOn: "error",
  pages: 1,
  sequentialRead: true,
};
const SECONDS = 10;
const PHOTO_SECONDS = 20;
const PHOTO_SIZES = [
  { width: 1280, height: 720 },
  { width: 800, height: 450 },
  { width: 480, height: 270 },
];
/** For the narrow pictures of cards, where the browser would crop a wide one. */
const CARD_SIDE = 256;

export const PHOTO_FORMS = [
  ...PHOTO_SIZES.flatMap(({ width }) =>
    (["avif", "webp"] as const).map((format) => ({ width, format })),
  ),
  { width: CARD_SIDE, format: "avif" as const },
];

export function isJpegOrPng(bytes: Buffer): boolean {
  const format = formatOf(bytes);
  return format === "jpeg" || format === "png";
}

export function isImage(bytes: Buffer): boolean {
  return formatOf(bytes) !== null;
}

/** Upright squares as WebP, pixels only. Null unless a whole JPEG or PNG up to 25 megapixels. */
export async function squareWebps(
  bytes: Buffer,
  crop: SquareCrop | null,
  sizes: number[],
): Promise<Buffer[] | null> {
  if (!isJpegOrPng(bytes)) return null;
  return decode(bytes, async ({ autoOrient }) => {
    const largest = Math.max(...sizes);
    const square = await sharp(bytes, OPTIONS)
      .autoOrient()
      .extract(squareOf(autoOrient, crop))
      .resize(largest, largest)
      .timeout({ seconds: SECONDS })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return Promise.all(sizes.map((size) => webp(square, size)));
  });
}

/** Upright 16:9 photos in every width as AVIF and WebP, and a square; otherwise like `squareWebps`. */
export async function photoFiles(bytes: Buffer): Promise<PhotoFile[] | null> {
  if (!isJpegOrPng(bytes)) return null;
  return decode(bytes, async () => {
    let pixels = await largestPhoto(bytes);
    const files: PhotoFile[] = [];
    for (const { width, height } of PHOTO_SIZES) {
      pixels = await sharp(pixels).resize(width, height).png({ compressionLevel: 1 }).toBuffer();
      // One after the other: AVIF alone keeps both processors busy.
      files.push({ width, format: "avif", bytes: await avif(sharp(pixels)) });
      const webp = await sharp(pixels).webp({ quality: 76 }).toBuffer();
      files.push({ width, format: "webp", bytes: webp });
    }
    const card = await avif(sharp(pixels).resize(CARD_SIDE, CARD_SIDE));
    files.push({ width: CARD_SIDE, format: "avif", bytes: card });
    return files;
  });
}

function avif(image: Sharp): Promise<Buffer> {
  return image.avif({ quality: 48, effort: 3 }).toBuffer();
}

/** WebP of at most `side` px, pixels only. Null also for an SVG that refers to anything outside. */
export async function logoWebp(bytes: Buffer, side: number): Promise<Buffer | null> {
  const isDrawing = formatOf(bytes) === "svg";
  if (isDrawing && svgProblem(bytes)) return null;
  return decode(bytes, (found) =>
    sharp(bytes, { ...OPTIONS, ...(isDrawing && { density: densityOf(found, side) }) })
      .autoOrient()
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .timeout({ seconds: SECONDS })
      .webp({ quality: 90 })
      .toBuffer(),
  );
}

async function decode<T>(
  bytes: Buffer,
  convert: (found: Metadata) => Promise<T>,
): Promise<T | null> {
  const expected = formatOf(bytes);
  if (!expected) return null;
  try {
    const found = await sharp(bytes, OPTIONS).metadata();
    return isFormat(found, expected) ? await convert(found) : null;
  } catch (error) {
    if (!isUnreadable(error)) log.warn({ err: error }, "an uploaded image could not be converted");
    return null;
  }
}

/** sharp's errors have no codes; those about the upload start with the name of its reader. */
function isUnreadable(error: unknown): boolean {
  return (
    error instanceof Error && /^(?:input|unknown|timeout|vips|gif|webp|heif)/i.test(error.message)
  );
}

function formatOf(bytes: Buffer): Format | null {
  const at = (from: number, text: string) =>
    bytes.subarray(from, from + text.length).toString("latin1") === text;
  if (at(0, "\xff\xd8\xff")) return "jpeg";
  if (at(0, "\x89PNG\r\n\x1a\n")) return "png";
  if (at(0, "GIF87a") || at(0, "GIF89a")) return "gif";
  if (at(0, "RIFF") && at(8, "WEBP")) return "webp";
  if (at(4, "ftypavif")) return "avif";
  return isSvg(bytes.subarray(0, 4096).toString("utf8")) ? "svg" : null;
}

function isFormat({ format, compression }: Metadata, expected: Format): boolean {
  return expected === "avif" ? format === "heif" && compression === "av1" : format === expected;
}

function squareOf({ width, height }: { width: number; height: number }, crop: SquareCrop | null) {
  const most = Math.min(width, height);
  if (!crop) {
    const [left, top] = [Math.floor((width - most) / 2), Math.floor((height - most) / 2)];
    return { left, top, width: most, height: most };
  }
  const side = Math.min(Math.max(Math.round((crop.width / 100) * width), 1), most);
  const within = (percent: number, length: number) =>
    Math.min(Math.max(Math.round((percent / 100) * length), 0), length - side);
  return { left: within(crop.x, width), top: within(crop.y, height), width: side, height: side };
}

function webp({ data, info }: { data: Buffer; info: OutputInfo }, size: number) {
  const { width, height, channels } = info;
  const image = sharp(data, { raw: { width, height, channels } });
  return image.resize(size, size).webp({ quality: 82 }).toBuffer();
}

function largestPhoto(bytes: Buffer): Promise<Buffer> {
  const { width, height } = PHOTO_SIZES[0]!;
  return sharp(bytes, OPTIONS)
    .autoOrient()
    .resize(width, height, { fit: "cover" })
    .flatten({ background: "#ffffff" })
    .timeout({ seconds: PHOTO_SECONDS })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

function isSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, "").trimStart();
  for (let passed = PROLOG.exec(rest); passed; passed = PROLOG.exec(rest)) {
    rest = rest.slice(passed[0].length).trimStart();
  }
  return /^<svg[\s>]/i.test(rest);
}

const PROLOG = /^(?:<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE\s[^>[]*>)/i;

export type SvgProblem =
  | "svg-too-large"
  | "svg-not-utf8"
  | "svg-script"
  | "svg-outside"
  | "svg-repeats";

/** Why an SVG is not drawn; null for others too. No entities, scripts or external addresses: the
 * renderer follows none either. */
export function svgProblem(bytes: Buffer): SvgProblem | null {
  if (formatOf(bytes) !== "svg") return null;
  if (bytes.length > SVG_MAX_BYTES) return "svg-too-large";
  const text = utf8(bytes);
  if (text === null || ENCODED.test(text)) return "svg-not-utf8";
  if (PROGRAM.test(text)) return "svg-script";
  if (FOREIGN.test(text)) return "svg-outside";
  const repeats = [...text.matchAll(ELEMENT)].filter(([, name = ""]) => REPEATING.test(name));
  if (repeats.length > MOST_REPEATS) return "svg-repeats";
  const isOwn = ADDRESSES.every((addresses) =>
    [...text.matchAll(addresses)].every(([, address = ""]) => OWN_ADDRESS.test(address.trim())),
  );
  return isOwn ? null : "svg-outside";
}

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const SVG_MAX_BYTES = 512 * 1024;
const ENCODED = /\0|encoding=["'](?!utf-8)/i;
const PROGRAM = /<script/i;
const FOREIGN = /<!ENTITY|<\?xml-stylesheet|<foreignObject|@import/i;
/** Each may draw others, so a few lines can draw a billion shapes. */
const REPEATING = /(?:^|:)(?:use|pattern|mask|marker|filter)(?:$|[^\w])/i;
const ELEMENT = /<([\w:.-]+)/g;
const MOST_REPEATS = 24;
const ADDRESSES = [/\b(?:href|src)\s*=\s*["']([^"']*)/gi, /url\(\s*["']?([^"')]*)/gi];
const OWN_ADDRESS = /^(?:#|data:image\/(?:png|jpeg|gif|webp);base64,)/i;

function densityOf({ width, height }: Metadata, side: number): number {
  // SVGs default to 72 dpi; sharp takes 1 to 100,000.
  return Math.min(Math.max((72 * side) / Math.max(width, height, 1), 1), 100_000);
}

const queue = createFairQueue({ atOnce: 1, maxWaitMs: 15_000, maxWaiting: 16 });

/** One at a time in this process: a large picture takes some hundred MB and both processors. */
export async function workOnPicture<T>(
  requester: Requester,
  work: () => Promise<T>,
): Promise<T | "busy"> {
  try {
    return await queue.run(requester, work);
  } catch (error) {
    if (error instanceof BusyError) return "busy";
    throw error;
  }
}
