import sharp, { type SharpOptions } from "sharp";
import { isJpegOrPng } from "./square-image.server.ts";

export interface PhotoFile {
  /** Pixels. */
  width: number;
  format: "avif" | "webp";
  bytes: Buffer;
}

const OPTIONS: SharpOptions = {
  // As with other pictures: what claims to be larger is refused before a pixel is unpacked.
  limitInputPixels: 25_000_000,
  failOn: "error",
  pages: 1,
  sequentialRead: true,
};
const SECONDS = 20;
/** In which the pages ask for a photo, 16:9 (`ui/picture.tsx`). */
const SIZES = [
  { width: 1280, height: 720 },
  { width: 800, height: 450 },
  { width: 480, height: 270 },
];

/** What a photo is stored as, largest first. */
export const PHOTO_FORMS = SIZES.flatMap(({ width }) =>
  (["avif", "webp"] as const).map((format) => ({ width, format })),
);

/**
 * The photo of a JPEG or PNG file, upright and cut to 16:9 around its middle, in every width as AVIF
 * and as WebP. Only pixels are taken over: no metadata, no further frames, nothing hidden behind the
 * picture. Null where the bytes are not a whole picture of at most 25 megapixels.
 */
export async function photoFiles(bytes: Buffer): Promise<PhotoFile[] | null> {
  if (!isJpegOrPng(bytes)) return null;
  try {
    const { format } = await sharp(bytes, OPTIONS).metadata();
    if (format !== "jpeg" && format !== "png") return null;
    let pixels = await largest(bytes);
    const files: PhotoFile[] = [];
    for (const { width, height } of SIZES) {
      pixels = await sharp(pixels).resize(width, height).png({ compressionLevel: 1 }).toBuffer();
      files.push(...(await encode(pixels, width)));
    }
    return files;
  } catch {
    // What the decoder says of a broken file helps nobody: it is no picture.
    return null;
  }
}

/** Without colours of its own and without transparency, which no photo has. */
function largest(bytes: Buffer): Promise<Buffer> {
  const [{ width, height }] = SIZES as [(typeof SIZES)[0]];
  return sharp(bytes, OPTIONS)
    .autoOrient()
    .resize(width, height, { fit: "cover" })
    .flatten({ background: "#ffffff" })
    .timeout({ seconds: SECONDS })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

// One after the other: AVIF alone keeps both processors busy.
async function encode(pixels: Buffer, width: number): Promise<PhotoFile[]> {
  const avif = await sharp(pixels).avif({ quality: 52, effort: 3 }).toBuffer();
  const webp = await sharp(pixels).webp({ quality: 76 }).toBuffer();
  return [
    { width, format: "avif", bytes: avif },
    { width, format: "webp", bytes: webp },
  ];
}
