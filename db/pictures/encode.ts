import { writeFile } from "node:fs/promises";
import sharp from "sharp";

/** Picture widths in pixels, with the most an AVIF may weigh, in bytes. */
const SIZES = [
  { width: 480, height: 270, limit: 12_000 },
  { width: 800, height: 450, limit: 24_000 },
  { width: 1280, height: 720, limit: 60_000 },
];

/** Writes one picture as AVIF and WebP at every width, each within its limit. */
export async function writePhoto(folder: URL, name: string, picture: Buffer): Promise<void> {
  for (const { width, height, limit } of SIZES) {
    const pixels = await sharp(picture).removeAlpha().resize(width, height).png().toBuffer();
    const start = new URL(`${name}-${width}`, folder).href;
    const avif = await within(limit, 66, (quality) =>
      sharp(pixels).avif({ quality, effort: 4, chromaSubsampling: "4:2:0" }).toBuffer(),
    );
    await writeFile(new URL(`${start}.avif`), avif);
    const webp = await within(limit * 1.6, 84, (quality) =>
      sharp(pixels).webp({ quality, effort: 4, smartSubsample: true }).toBuffer(),
    );
    await writeFile(new URL(`${start}.webp`), webp);
  }
}

/** The best quality that fits, found by halving between 24 and `best`. */
export async function within(
  limit: number,
  best: number,
  encode: (quality: number) => Promise<Buffer>,
): Promise<Buffer> {
  let [low, high] = [24, best];
  let fitting = await encode(high);
  if (fitting.length <= limit) return fitting;
  while (high - low > 2) {
    const quality = Math.round((low + high) / 2);
    const bytes = await encode(quality);
    if (bytes.length <= limit) [low, fitting] = [quality, bytes];
    else high = quality;
  }
  if (fitting.length > limit) throw new Error(`No quality above 24 fits ${limit} bytes`);
  return fitting;
}
