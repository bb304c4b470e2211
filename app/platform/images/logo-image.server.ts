import sharp, { type Metadata, type SharpOptions } from "sharp";

const OPTIONS: SharpOptions = {
  // As with other pictures: what claims to be larger is refused before a pixel is unpacked.
  limitInputPixels: 25_000_000,
  failOn: "error",
  pages: 1,
  sequentialRead: true,
};
const SECONDS = 10;
/** A drawing of more is no logo; the fewer its marks, the sooner it is drawn. */
const SVG_MAX_BYTES = 512 * 1024;
/** How many dots an inch has where a drawing says nothing of it. */
const SVG_DENSITY = 72;
/** What sharp takes. */
const [LEAST_DENSITY, MOST_DENSITY] = [1, 100_000];

type Format = "jpeg" | "png" | "gif" | "webp" | "avif" | "svg";

/** Whether bytes begin as an image does that a logo can be made of, whatever their file is called. */
export function isImage(bytes: Buffer): boolean {
  return formatOf(bytes) !== null;
}

/**
 * The picture of an image file as WebP in its own shape, at most `side` px wide and high; a drawing
 * (SVG) is drawn on the server, as large as that. Only pixels are taken over. Null where the
 * bytes are not a whole picture of at most 25 megapixels, or a drawing that asks for more than
 * itself.
 */
export async function logoWebp(bytes: Buffer, side: number): Promise<Buffer | null> {
  const format = formatOf(bytes);
  if (!format || (format === "svg" && !isSelfContained(bytes))) return null;
  try {
    const found = await sharp(bytes, OPTIONS).metadata();
    if (!isFormat(found, format)) return null;
    const density = format === "svg" ? { density: densityOf(found, side) } : {};
    return await sharp(bytes, { ...OPTIONS, ...density })
      .autoOrient()
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .timeout({ seconds: SECONDS })
      .webp({ quality: 90 })
      .toBuffer();
  } catch {
    // What the decoder says of a broken file helps nobody: it is no picture.
    return null;
  }
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

/** Whether a drawing begins here, behind what describes it: one part after the other is passed. */
function isSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, "").trimStart();
  for (let passed = DESCRIPTION.exec(rest); passed; passed = DESCRIPTION.exec(rest)) {
    rest = rest.slice(passed[0].length).trimStart();
  }
  return /^<svg[\s>]/i.test(rest);
}

const DESCRIPTION = /^(?:<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE\s[^>[]*>)/i;

function isFormat({ format, compression }: Metadata, expected: Format): boolean {
  return expected === "avif" ? format === "heif" && compression === "av1" : format === expected;
}

/**
 * Whether a drawing is made of its own marks and of pixels that lie in it: no entities, no
 * programs, no address of anything else. The renderer follows none either; this says so first.
 */
function isSelfContained(bytes: Buffer): boolean {
  if (bytes.length > SVG_MAX_BYTES) return false;
  const text = utf8(bytes);
  if (text === null || FOREIGN.test(text)) return false;
  const repeats = [...text.matchAll(ELEMENT)].filter(([, name = ""]) => REPEATING.test(name));
  if (repeats.length > MOST_REPEATS) return false;
  return ADDRESSES.every((addresses) =>
    [...text.matchAll(addresses)].every(([, address = ""]) => OWN_ADDRESS.test(address.trim())),
  );
}

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const FOREIGN =
  /<!ENTITY|<\?xml-stylesheet|<script|<foreignObject|@import|\0|encoding=["'](?!utf-8)/i;
/** Each may draw others of them, so that a few lines can ask for a billion marks. */
const REPEATING = /(?:^|:)(?:use|pattern|mask|marker|filter)(?:$|[^\w])/i;
const ELEMENT = /<([\w:.-]+)/g;
const MOST_REPEATS = 24;
const ADDRESSES = [/\b(?:href|src)\s*=\s*["']([^"']*)/gi, /url\(\s*["']?([^"')]*)/gi];
const OWN_ADDRESS = /^(?:#|data:image\/(?:png|jpeg|gif|webp);base64,)/i;

/** Drawn as large as it is to be, neither blown up afterwards nor larger than needed. */
function densityOf({ width, height }: Metadata, side: number): number {
  const density = (SVG_DENSITY * side) / Math.max(width, height, 1);
  return Math.min(Math.max(density, LEAST_DENSITY), MOST_DENSITY);
}
