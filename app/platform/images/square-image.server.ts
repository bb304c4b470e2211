import sharp, { type OutputInfo, type SharpOptions } from "sharp";

/** A square of a picture as it is seen, in percent: its corner, and its side as part of the width. */
export interface SquareCrop {
  x: number;
  y: number;
  width: number;
}

const OPTIONS: SharpOptions = {
  // A picture of a few bytes can claim any size; it is refused before a pixel is unpacked. Phones
  // take up to 24.5 megapixels in a file of 5 MB; an interlaced PNG is unpacked as a whole.
  limitInputPixels: 25_000_000,
  failOn: "error",
  pages: 1,
  sequentialRead: true,
};
const SECONDS = 10;
const SIGNATURES = {
  jpeg: Buffer.from([0xff, 0xd8, 0xff]),
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
};

/** Whether bytes begin as a JPEG or a PNG does, whatever their file is called. */
export function isJpegOrPng(bytes: Buffer): boolean {
  return formatOf(bytes) !== null;
}

/**
 * The picture of a JPEG or PNG file, upright and square, as WebP in the given sizes (px). Only
 * pixels are taken over: no metadata, no further frames, nothing hidden behind the picture. Null
 * where the bytes are not a whole picture of at most 25 megapixels.
 */
export async function squareWebps(
  bytes: Buffer,
  crop: SquareCrop | null,
  sizes: number[],
): Promise<Buffer[] | null> {
  const format = formatOf(bytes);
  if (!format) return null;
  try {
    const { format: decoded, autoOrient } = await sharp(bytes, OPTIONS).metadata();
    if (decoded !== format) return null;
    const largest = Math.max(...sizes);
    const square = await sharp(bytes, OPTIONS)
      .autoOrient()
      .extract(squareOf(autoOrient, crop))
      .resize(largest, largest)
      .timeout({ seconds: SECONDS })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return await Promise.all(sizes.map((size) => webp(square, size)));
  } catch {
    // What the decoder says of a broken file helps nobody: it is no picture.
    return null;
  }
}

function formatOf(bytes: Buffer): "jpeg" | "png" | null {
  const starts = (signature: Buffer) => bytes.subarray(0, signature.length).equals(signature);
  if (starts(SIGNATURES.jpeg)) return "jpeg";
  return starts(SIGNATURES.png) ? "png" : null;
}

/** The crop in pixels, moved into the picture; without one the largest square in the middle. */
function squareOf({ width, height }: { width: number; height: number }, crop: SquareCrop | null) {
  const most = Math.min(width, height);
  if (!crop) return middle(width, height, most);
  const side = Math.min(Math.max(Math.round((crop.width / 100) * width), 1), most);
  const within = (percent: number, length: number) =>
    Math.min(Math.max(Math.round((percent / 100) * length), 0), length - side);
  return { left: within(crop.x, width), top: within(crop.y, height), width: side, height: side };
}

function middle(width: number, height: number, side: number) {
  const left = Math.floor((width - side) / 2);
  const top = Math.floor((height - side) / 2);
  return { left, top, width: side, height: side };
}

function webp({ data, info }: { data: Buffer; info: OutputInfo }, size: number) {
  const { width, height, channels } = info;
  const image = sharp(data, { raw: { width, height, channels } });
  return image.resize(size, size).webp({ quality: 82 }).toBuffer();
}
